/** A picture. */
export interface ImagePart {
  readonly type: "image";
  /** The address of an attachment or of another site, or a data URL. */
  readonly image: string;
}
