export interface ImagePart {
  readonly type: "image";
  /** A URL or a data URL. */
  readonly image: string;
}
