import { mimeEssence } from "./mime-type.ts";

/** The way an attachment is displayed: as a picture, as a text or PDF, or as any other file. */
export type AttachmentType = "image" | "document" | "file";

/** A file that belongs to a message. */
export interface Attachment {
  readonly id: string;
  readonly type: AttachmentType;
  /** The file's name with its extension. */
  readonly name: string;
  /** A MIME type, for example `image/png`. */
  readonly contentType: string;
  /** The size in bytes. */
  readonly size: number;
  /** Relative to the API base, absolute, or a data URL. */
  readonly url: string;
}

/**
 * The way a file of a MIME type is displayed.
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
