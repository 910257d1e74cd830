import type { Attachment, Message, StreamEvent, Suggestion } from "@nitka/protocol";
import type { Knowledge } from "../knowledge.ts";
import type { RunVisitor } from "./run-visitor.ts";
import type { VisitorIdentity } from "./visitor-token.ts";

export type { VisitorIdentity } from "./visitor-token.ts";

/** The most bytes of files in one request: about the limit of the large providers. */
export const MAX_FILE_BYTES = 20_000_000;

/** The number of characters that an image, audio or PDF file counts as: about what providers charge for one. */
export const FILE_CHARS = 4_000;

/** The most characters of a text file in a request. */
export const MAX_TEXT_CHARS = 100_000;

/** One question to a model, with its conversation. */
export interface ModelRequest {
  /** The visible branch; its last message is the question. It may be longer than `contextChars`. */
  readonly history: readonly Message[];
  /** The project's instructions, which come before the conversation. */
  readonly instructions?: string;
  /**
   * The state of the page, as JSON. It comes from the page, so it is data and must not count as instructions. It
   * belongs only to this question.
   */
  readonly pageContext?: unknown;
  /** The project's data about the visitor: data like `pageContext`. Empty when the host has provided none. */
  readonly shownClaims?: Readonly<Record<string, unknown>>;
  /**
   * The visitor who asks. This is for tool servers and services that are told the visitor, not for the language model.
   */
  readonly asker?: VisitorIdentity;
  /** The search of the site. The model cites the passages that it uses. */
  readonly knowledge?: Knowledge;
  /** Where visitors can ask when the model does not know. */
  readonly feedbackUrl?: string;
  /** The most characters to send, including the text of files; `null` for no limit. The question is always sent. */
  readonly contextChars: number | null;
  /** Aborted when the run stops. The model then aborts its upstream request and returns without an error. */
  readonly signal: AbortSignal;
  /** The attachments that parts of the history reference, by the URL in the part. */
  readonly attachments?: ReadonlyMap<string, Attachment>;
  /** To be called before the first of several attachments is read, with the bytes of all of them. Waits for memory. */
  readonly expectFiles?: (bytes: number) => Promise<void>;
  /** Reads the bytes of an attachment in the history. With `maxBytes`, the first bytes are enough. */
  readonly readAttachment: (attachment: Attachment, maxBytes?: number) => Promise<Uint8Array>;
  /** Milliseconds of upstream silence after which the run fails with `silent`; `null` for no limit. */
  readonly idleMs: number | null;
  /**
   * Milliseconds without any part of an answer after which the fallback is asked; `null` for no limit. A model without
   * a fallback ignores it.
   */
  readonly firstByteMs: number | null;
  /** Milliseconds after which a call of a server's tool fails; `null` for no limit. */
  readonly toolMs: number | null;
  /** The visitor, who approves tool calls, and whose page may have tools that the model can call. */
  readonly visitor: RunVisitor;
  /** Called before each request to a language model, including retries. Silence counts from then on. */
  readonly onRequest?: () => void;
  /** Called before a request to a language model is retried, and before the wait for the retry. */
  readonly onAgain?: ReportAgain;
  /** Called when a fallback takes over, with the error of the model that did not answer. */
  readonly onFallback?: (failure: ModelError, fallbackId: string) => void;
  /** Called once for each request to a language model: at its end, or synchronously while `signal` aborts it. */
  readonly onUsage?: ReportUsage;
  /** Called at the end of a block that was sent as text but is reasoning, or the reverse. */
  readonly onRecast?: (blockId: string, really: "text" | "reasoning") => void;
  /** Called when the text cites a passage that the model did not get, before the number is left out. */
  readonly onUnsourced?: (n: number) => void;
  /** Called when the upstream shows activity without an event, for example by a comment in its stream. */
  readonly onSignOfLife?: () => void;
}

/** A request about an exchange, for a thread's title or for suggestions. */
export interface TitleRequest {
  /** A question and its answer; for a title, the first ones of the thread. */
  readonly history: readonly Message[];
  readonly signal: AbortSignal;
  /** The visitor who asked. This is for services that are told the visitor, not for the language model. */
  readonly asker?: VisitorIdentity | undefined;
  readonly onUsage?: ReportUsage;
  readonly onAgain?: ReportAgain;
}

export type ReportAgain = (again: RequestAgain) => void;

/** A repeated request to a language model: the same request after a failure that may be temporary, or a smaller one. */
export type RequestAgain = { readonly modelId: string } & (
  | {
      readonly reason: "failed";
      readonly code: ModelErrorCode;
      /** The HTTP status of the failure, if there was one. */
      readonly status?: number;
      /** The number of the new attempt: 2 or 3. */
      readonly attempt: number;
      readonly waitMs: number;
    }
  /** The same request without the bytes of files, or without the older half of the conversation. */
  | { readonly reason: "without_files" | "half_history" }
);

export type ReportUsage = (call: ModelCall) => void;

/**
 * The token usage of one request to a language model, also when it failed or was aborted. A request that the upstream
 * refused costs nothing and is not reported.
 */
export interface ModelCall {
  /** The id of the `Model` that made the request: the fallback's id when the fallback answered. */
  readonly modelId: string;
  readonly purpose: "answer" | "title" | "suggestions";
  /** Tokens sent, including those that the upstream had in its prompt cache. */
  readonly inputTokens: number;
  /** The part of `inputTokens` that the upstream had in its prompt cache. */
  readonly cachedInputTokens: number;
  /** Tokens received, including reasoning. */
  readonly outputTokens: number;
  /** Whether the figures are estimated at four characters per token, because the upstream did not report them. */
  readonly estimated: boolean;
}

/** The tokens of all requests of a run. A figure is absent when the model does not report it. */
export type ModelUsage = Partial<Pick<ModelCall, "inputTokens" | "cachedInputTokens" | "outputTokens">>;

/** How a run of a model ends. */
export interface ModelEnd extends ModelUsage {
  /** Why the answer is incomplete: it reached its length limit, or the service cut it off. */
  readonly cutOff?: "length" | "content-filter";
}

/** One language model. `model.contract.ts` tests the promises of this interface. */
export interface Model {
  readonly id: string;
  readonly name: string;
  /** The names of its tools. Called when a page declares tools of its own, which cannot have one of these names. */
  readonly toolNames?: () => readonly string[] | Promise<readonly string[]>;
  /** Whether requests to it contain tools, including those of pages. Default: `true`. */
  readonly takesTools?: boolean;
  /**
   * Yields the events of an answer in order: text, reasoning, tools, sources, files, steps. The run adds `start` and
   * the end. Returns the usage, and whether the answer was cut off. When `signal` is aborted, the generator ends
   * without an error.
   *
   * @throws ModelError when the upstream fails
   */
  run(request: ModelRequest): AsyncGenerator<StreamEvent, ModelEnd, undefined>;
  /** A title for a thread after its first exchange; `undefined` when the model finds none. */
  title(request: TitleRequest): Promise<string | undefined>;
  /** Suggests follow-up questions after an exchange, for projects with `followUps`. */
  readonly suggest?: (request: TitleRequest) => Promise<readonly Suggestion[]>;
}

/** The kind of a failure. Clients read it as `status.code` of the answer. */
export type ModelErrorCode =
  /** The upstream cannot be reached, fails, or breaks off in the middle of an answer. */
  | "upstream_unavailable"
  /** Too many requests, or no funds left. */
  | "upstream_limited"
  /** The upstream refuses the key or the request, or its content filter withholds the answer. */
  | "upstream_refused"
  | "context_too_long"
  /** The upstream is silent for too long. */
  | "silent"
  /** The upstream ends its response without any content. */
  | "empty"
  | "failed";

/** A failure of the upstream: a code for programs, a message for the visitor, and the provider's error as `cause`. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;
  /** The HTTP status of the upstream's refusal. */
  readonly status: number | undefined;

  constructor(
    code: ModelErrorCode,
    message: string,
    options?: ErrorOptions & { readonly status?: number | undefined },
  ) {
    super(message, options);
    this.name = "ModelError";
    this.code = code;
    this.status = options?.status;
  }
}
