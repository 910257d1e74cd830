import type { Attachment } from "./attachment.ts";
import type { Part } from "./part.ts";

export type Role = "user" | "assistant" | "system";

/** How far an answer has come. `reason` says why it stopped short: `error`, `cancelled` or `interrupted`. */
export type MessageStatus =
  | { readonly type: "running" }
  | { readonly type: "complete" }
  | { readonly type: "incomplete"; readonly reason: string; readonly error?: string };

/** A node of the thread's tree. Without `parentId` it hangs on the message before it in the list. */
export interface Message {
  readonly id: string;
  readonly role: Role;
  readonly content: string | readonly Part[];
  readonly attachments?: readonly Attachment[];
  readonly parentId?: string | null | undefined;
  /** ISO 8601. */
  readonly createdAt?: string;
  readonly status?: MessageStatus;
}

/** The parts of a message, whichever way its content is written. */
export function partsOf(message: Pick<Message, "content">): readonly Part[] {
  const { content } = message;
  if (typeof content !== "string") return content;
  return content ? [{ type: "text", text: content }] : [];
}

/** The plain text of a message: its text parts, one blank line between them. */
export function textOf(message: Pick<Message, "content">): string {
  return partsOf(message)
    .flatMap((part) => (part.type === "text" ? part.text : []))
    .join("\n\n");
}
