/** The JSON bodies of requests and responses about runs and threads. */
import type { Message } from "./message.ts";
import type { PageTool } from "./page-tool.ts";

/** What begins a run: a new question, or a request for another answer to a stored question. */
export type RunTrigger = "submit-message" | "regenerate-message";

/** A question. Its `id` is the idempotency key of its run: a question that is sent twice begins one run. */
export type UserMessage = Message & { readonly role: "user" };

/**
 * The body of a request for a run. To regenerate an answer, the client sends the question again with
 * `regenerate-message`.
 */
export interface RunRequest {
  /** Only the question: the backend has the conversation before it. */
  readonly messages: readonly [UserMessage];
  /** @default "submit-message" */
  readonly trigger?: RunTrigger;
  /** The id of one of the config's `models`. Default: the project's model. */
  readonly model?: string;
  /**
   * The state of the page, as JSON of at most `MAX_PAGE_CONTEXT_CHARS` characters: data for the model, only for this
   * question.
   */
  readonly pageContext?: unknown;
  /** Functions of the page that the model may call while it answers this question. */
  readonly tools?: readonly PageTool[];
}

/**
 * A page's message about a tool call that waits for it: the body of `POST …/run/tool`.
 *
 * `output`, `errorText` and `approved: false` are final: the first of them counts. `approved: true` is only final for a
 * server's tool. `claim` is an id of the page's lifetime: the first page that claims a call may run it.
 */
export type ToolAnswer = { readonly toolCallId: string } & (
  | { readonly output: unknown }
  | { readonly errorText: string }
  | { readonly approved: boolean; readonly reason?: string }
  | { readonly claim: string }
);

/** A thread as an item of the list. */
export interface Thread {
  readonly threadId: string;
  /** Absent while the thread has no title. */
  readonly title?: string;
  /** An ISO 8601 date and time. */
  readonly updatedAt: string;
  /** In the response to a search: an excerpt of a message around the words, as plain text. */
  readonly match?: string;
}

/** The body of every error response. `code` is for programs, `message` is for people. */
export interface Problem {
  readonly error: { readonly code: string; readonly message: string };
}
