export type AttachmentType = "image" | "document" | "file";

/** What a sent message carries beside its text. `url` is relative to the api base, absolute, or a data URL. */
export interface Attachment {
  readonly id: string;
  readonly type: AttachmentType;
  readonly name: string;
  /** A MIME type, such as `image/png`. */
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  readonly url: string;
}

/**
 * The kind of attachment that a MIME type makes.
 *
 * @example attachmentTypeOf("application/pdf") // "document"
 */
export function attachmentTypeOf(contentType: string): AttachmentType {
  const [kind] = contentType.split("/");
  if (kind === "image") return kind;
  return kind === "text" || contentType === "application/pdf" ? "document" : "file";
}
