/** What requests and responses about runs and threads carry as JSON. */
import type { Message } from "./message.ts";
import type { PageTool } from "./page-tool.ts";

/** What begins a run: a new question, or the wish for another answer to one that is stored. */
export type RunTrigger = "submit-message" | "regenerate-message";

/** A question. Its `id` is the idempotency key of its run: sent twice, it begins one run. */
export type UserMessage = Message & { readonly role: "user" };

/** The body of a request for a run. To regenerate an answer, its question is sent again with `regenerate-message`. */
export interface RunRequest {
  /** The question, alone: the backend has the conversation before it. */
  readonly messages: readonly [UserMessage];
  /** @default "submit-message" */
  readonly trigger?: RunTrigger;
  /** The id of one of the config's `models`. By default the project's. */
  readonly model?: string;
  /** What the page shows, as JSON of at most `MAX_PAGE_CONTEXT_CHARS` characters: data for the model, for this question. */
  readonly pageContext?: unknown;
  /** Functions of the page that the model may call while it answers this question. */
  readonly tools?: readonly PageTool[];
}

/**
 * What a page says about a tool call that waits for it: the body of `POST …/run/tool`.
 *
 * `output`, `errorText` and `approved: false` are final: the first of them counts. `approved: true` is final for a tool of
 * the server alone. `claim` is an id of the page's life: the page that claims a call first may run it.
 */
export type ToolAnswer = { readonly toolCallId: string } & (
  | { readonly output: unknown }
  | { readonly errorText: string }
  | { readonly approved: boolean; readonly reason?: string }
  | { readonly claim: string }
);

/** A thread as the list has it. */
export interface Thread {
  readonly threadId: string;
  /** Absent until the thread has one. */
  readonly title?: string;
  /** An ISO 8601 date and time. */
  readonly updatedAt: string;
  /** In the response to a search: a piece of a message around the words, as plain text. */
  readonly match?: string;
}

/** The body of every error response. `code` is for programs, `message` for people. */
export interface Problem {
  readonly error: { readonly code: string; readonly message: string };
}
