/** A picture. */
export interface ImagePart {
  readonly type: "image";
  /** An address: an attachment's, another site's, or a data URL. */
  readonly image: string;
}
