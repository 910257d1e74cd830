import type { Attachment } from "./attachment.ts";
import type { Part } from "./part.ts";
import { attachmentIdIn } from "./routes.ts";

export type Role = "user" | "assistant" | "system";

/**
 * How far an answer has come. `reason` says why it stopped short: `error`, `cancelled` or `interrupted`. `code` names the
 * kind of an error, one of `FailureCode` on our server; `error` is a sentence for clients that do not know the code.
 */
export type MessageStatus =
  | { readonly type: "running" }
  | { readonly type: "complete" }
  | { readonly type: "incomplete"; readonly reason: string; readonly error?: string; readonly code?: string };

/** The kinds of failure that our server tells apart. */
export type FailureCode =
  /** The model's service cannot be reached, fails, or broke off in the middle of the answer. */
  | "upstream_unavailable"
  /** The model's service takes no more requests now. */
  | "upstream_limited"
  /** The model's service refused the request: a bad key, an unknown model, a content filter. */
  | "upstream_refused"
  | "context_too_long"
  /** The model's service sent nothing for too long. */
  | "silent"
  /** The answer could not be stored. */
  | "not_kept"
  /** The model ended without having said anything. */
  | "empty"
  | "failed";

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

/** The address of a part's file, if it has one. */
export function fileUrlOf(part: Part): string | undefined {
  if (part.type === "image") return part.image;
  if (part.type === "file" && "url" in part) return part.url;
  return part.type === "audio" && "url" in part.audio ? part.audio.url : undefined;
}

/** The ids of the server's attachments that a message names: beside its content, and in its parts. */
export function attachmentIdsOf(message: Pick<Message, "content" | "attachments">): readonly string[] {
  const inParts = partsOf(message).flatMap((part) => attachmentIdIn(fileUrlOf(part) ?? "") ?? []);
  return [...(message.attachments ?? []).map(({ id }) => id), ...inParts];
}
