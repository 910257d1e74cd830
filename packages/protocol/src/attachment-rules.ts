import type { AttachmentRules } from "./config.ts";

/** The rules of a project with all fields set. */
export type FullAttachmentRules = Required<AttachmentRules>;

/**
 * The rules of a project, with defaults for those that its config leaves out: images, PDF and text, 10 MB (10,000,000
 * bytes) per file, 5 files per message.
 *
 * @returns `undefined` when the project accepts no attachments
 */
export function fullAttachmentRules(rules?: AttachmentRules | false): FullAttachmentRules | undefined {
  if (rules === false) return undefined;
  return { accept: "image/*,application/pdf,text/*", maxBytes: 10_000_000, maxCount: 5, ...rules };
}
