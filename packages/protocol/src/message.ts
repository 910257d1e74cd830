import type { Attachment } from "./attachment.ts";
import type { Part } from "./part.ts";
import { attachmentIdIn } from "./routes.ts";

/** The author of a message: the visitor (`user`), the model (`assistant`), or the backend (`system`). */
export type Role = "user" | "assistant" | "system";

/**
 * The state of an answer. `reason` is `error`, `cancelled`, `interrupted`, `length` (the answer reached its length
 * limit) or `content-filter` (the model's service cut it off). With `error`, `code` names the kind of failure (one of
 * `FailureCode` on our server), and `error` is a message for clients that do not know the code.
 */
export type MessageStatus =
  | { readonly type: "running" }
  | { readonly type: "complete" }
  | {
      readonly type: "incomplete";
      readonly reason: string;
      readonly error?: string;
      readonly code?: string | undefined;
    };

/** The kinds of failure that our server distinguishes. */
export type FailureCode =
  /** The upstream cannot be reached, fails, or breaks off in the middle of the answer. */
  | "upstream_unavailable"
  /** The upstream currently accepts no more requests. */
  | "upstream_limited"
  /** The upstream refused the request: a bad key, an unknown model, a content filter. */
  | "upstream_refused"
  /** The conversation is longer than the model accepts. */
  | "context_too_long"
  /** The upstream was silent for too long. */
  | "silent"
  /** The answer could not be stored. */
  | "not_kept"
  /** The model ended without any output. */
  | "empty"
  /** Any other failure. */
  | "failed";

/** A follow-up question for the visitor: a button with the title, which sends the prompt. */
export interface Suggestion {
  readonly title: string;
  readonly prompt: string;
}

/** A visitor's feedback on an answer. */
export interface Feedback {
  readonly rating: "up" | "down";
  readonly reason?: string;
}

/** A message: a node in the tree of its thread. */
export interface Message {
  readonly id: string;
  readonly role: Role;
  /** A string stands for a single text part. */
  readonly content: string | readonly Part[];
  /** Files of a question. */
  readonly attachments?: readonly Attachment[];
  /** `null` for a first message. If absent, the parent is the message before this one in the list. */
  readonly parentId?: string | null | undefined;
  /** An ISO 8601 date and time. */
  readonly createdAt?: string;
  /** The state of an answer; absent for questions. */
  readonly status?: MessageStatus;
  /** The follow-up questions after this answer, at most four. */
  readonly suggestions?: readonly Suggestion[];
  /** The visitor's feedback, if the answer was rated. */
  readonly feedback?: Feedback;
}

/** The parts of a message. Content that is a string is one text part; an empty string is no part. */
export function partsOf(message: Pick<Message, "content">): readonly Part[] {
  const { content } = message;
  if (typeof content !== "string") return content;
  return content ? [{ type: "text", text: content }] : [];
}

/** The text of a message: its text parts, joined by blank lines. */
export function textOf(message: Pick<Message, "content">): string {
  return partsOf(message)
    .flatMap((part) => (part.type === "text" ? part.text : []))
    .join("\n\n");
}

/**
 * The address of a part's file: an attachment's, another site's, or a data URL. `undefined` for parts without an
 * address.
 */
export function fileUrlOf(part: Part): string | undefined {
  if (part.type === "image") return part.image;
  if (part.type === "file" && "url" in part) return part.url;
  return part.type === "audio" && "url" in part.audio ? part.audio.url : undefined;
}

/**
 * The ids of the attachments that a message references: those in `attachments`, then those whose addresses are in its
 * parts.
 */
export function attachmentIdsOf(message: Pick<Message, "content" | "attachments">): readonly string[] {
  const inParts = partsOf(message).flatMap((part) => attachmentIdIn(fileUrlOf(part) ?? "") ?? []);
  return [...(message.attachments ?? []).map(({ id }) => id), ...inParts];
}
