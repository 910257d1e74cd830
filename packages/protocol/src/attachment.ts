import { mimeEssence } from "./mime-type.ts";

/** How an attachment is shown: a picture, a text or PDF, anything else. */
export type AttachmentType = "image" | "document" | "file";

/** A file that belongs to a message. */
export interface Attachment {
  readonly id: string;
  readonly type: AttachmentType;
  /** The file's name, with its ending. */
  readonly name: string;
  /** A MIME type, such as `image/png`. */
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Relative to the api base, absolute, or a data URL. */
  readonly url: string;
}

/**
 * The kind of attachment that a MIME type is shown as.
 *
 * @example
 * attachmentTypeOf("image/png") // "image"
 * attachmentTypeOf("text/csv;charset=utf-8") // "document"
 * attachmentTypeOf("application/zip") // "file"
 */
export function attachmentTypeOf(contentType: string): AttachmentType {
  const type = mimeEssence(contentType);
  const [kind] = type.split("/");
  if (kind === "image") return kind;
  return kind === "text" || type === "application/pdf" ? "document" : "file";
}
