import type { Attachment, Message, StreamEvent, Suggestion } from "@nitka/protocol";
import type { Knowledge } from "../knowledge.ts";
import type { RunVisitor } from "./run-visitor.ts";
import type { VisitorIdentity } from "./visitor-token.ts";

export type { VisitorIdentity } from "./visitor-token.ts";

/** Bytes of files in one request: about what the large providers take. */
export const MAX_FILE_BYTES = 20_000_000;

/** The characters that an image, audio or a PDF counts as beside text: about what providers count for one. */
export const FILE_CHARS = 4_000;

/** The most characters of a text file that a model is sent. */
export const MAX_TEXT_CHARS = 100_000;

/** One question to a model, with its conversation. */
export interface ModelRequest {
  /** The visible branch; its last message is the question. It may be longer than `contextChars`. */
  readonly history: readonly Message[];
  /** The instructions of the project, before the conversation. */
  readonly instructions?: string;
  /**
   * What the page shows, as JSON. It comes from the page, so it is data and must not count as instructions. It belongs to
   * this question alone.
   */
  readonly pageContext?: unknown;
  /** What the project tells about the visitor: data, as `pageContext` is. Empty where the host has told nothing. */
  readonly shownClaims?: Readonly<Record<string, unknown>>;
  /** Who asks. It is for servers of tools and services that are told, and not for the language model. */
  readonly asker?: VisitorIdentity;
  /** What the model can look up about the site. It cites what it takes from there. */
  readonly knowledge?: Knowledge;
  /** Where visitors may ask when the model does not know. */
  readonly feedbackUrl?: string;
  /** The most characters to send, the text of files included; `null` for no limit. The question is always sent. */
  readonly contextChars: number | null;
  /** Aborted when the run stops. The model then aborts its upstream request and returns without an error. */
  readonly signal: AbortSignal;
  /** The attachments that parts of the history refer to, by the URL in the part. */
  readonly attachments?: ReadonlyMap<string, Attachment>;
  /** To be called before the first of several attachments is read, with the bytes of all: waits for memory. */
  readonly expectFiles?: (bytes: number) => Promise<void>;
  /** Reads the bytes of an attachment of the history. With `maxBytes`, the first bytes are enough. */
  readonly readAttachment: (attachment: Attachment, maxBytes?: number) => Promise<Uint8Array>;
  /** The run fails with `silent` when the upstream sends nothing for so many milliseconds; `null` waits for ever. */
  readonly idleMs: number | null;
  /**
   * The fallback is asked when no part of an answer has come for so many milliseconds, `null` for any time. A model without
   * a fallback has no use for it.
   */
  readonly firstByteMs: number | null;
  /** A tool of the server that takes longer, in milliseconds, has failed; `null` for any time. */
  readonly toolMs: number | null;
  /** Approves tool calls. Their page has tools of its own, which the model may call. */
  readonly visitor: RunVisitor;
  /** Called before each request to a language model, one that is made again included. Its silence counts from then on. */
  readonly onRequest?: () => void;
  /** Called before a request to a language model is made again, and before the wait for that. */
  readonly onAgain?: ReportAgain;
  /** Called when a fallback takes over, with the error of the model that has not answered. */
  readonly onFallback?: (failure: ModelError, fallbackId: string) => void;
  /** Called once for each request to a language model: at its end, or synchronously while `signal` aborts it. */
  readonly onUsage?: ReportUsage;
  /** Called when a block was sent as text and was reasoning, or the reverse, as it turns out at its end. */
  readonly onRecast?: (blockId: string, really: "text" | "reasoning") => void;
  /** Called when the text cites a passage that the model was not given, before that number is left out. */
  readonly onUnsourced?: (n: number) => void;
  /** Called when the upstream shows that it is at work without an event to yield, as by a comment in its stream. */
  readonly onSignOfLife?: () => void;
}

/** A request for something about an exchange: the title of its thread, or what to ask next. */
export interface TitleRequest {
  /** A question and its answer: for a title the first ones of the thread. */
  readonly history: readonly Message[];
  readonly signal: AbortSignal;
  /** Who has asked. It is for services that are told, and not for the language model. */
  readonly asker?: VisitorIdentity | undefined;
  readonly onUsage?: ReportUsage;
  readonly onAgain?: ReportAgain;
}

export type ReportAgain = (again: RequestAgain) => void;

/** A request to a language model that is made again: the same one after a failure that may pass, or a smaller one. */
export type RequestAgain = { readonly modelId: string } & (
  | {
      readonly reason: "failed";
      readonly code: ModelErrorCode;
      /** The HTTP status of the failure, where there was one. */
      readonly status?: number;
      /** The number of the new request: 2 or 3. */
      readonly attempt: number;
      readonly waitMs: number;
    }
  /** The same without the bytes of files, or without the older half of the conversation. */
  | { readonly reason: "without_files" | "half_history" }
);

export type ReportUsage = (call: ModelCall) => void;

/**
 * The token usage of one request to a language model, also when it failed or was aborted. A request that the upstream
 * refused costs nothing and is not reported.
 */
export interface ModelCall {
  /** The id of the `Model` that made the request. It is the fallback's id when the fallback answered. */
  readonly modelId: string;
  readonly purpose: "answer" | "title" | "suggestions";
  /** Tokens sent, including those that the upstream had in its prompt cache. */
  readonly inputTokens: number;
  /** How many of `inputTokens` the upstream had in its prompt cache. */
  readonly cachedInputTokens: number;
  /** Tokens received, reasoning included. */
  readonly outputTokens: number;
  /** Whether the figures are an estimate, at four characters a token, because the upstream did not report them. */
  readonly estimated: boolean;
}

/** Tokens of all requests of a run. A figure is absent when the model does not report it. */
export type ModelUsage = Partial<Pick<ModelCall, "inputTokens" | "cachedInputTokens" | "outputTokens">>;

/** How a run of a model ends. */
export interface ModelEnd extends ModelUsage {
  /** The answer is not whole: it reached the limit of its length, or the service has cut it off. */
  readonly cutOff?: "length" | "content-filter";
}

/** One language model. `model.contract.ts` tests what each implementation promises. */
export interface Model {
  readonly id: string;
  readonly name: string;
  /** The names of its tools. Asked when a page declares tools of its own, which cannot have one of these names. */
  readonly toolNames?: () => readonly string[] | Promise<readonly string[]>;
  /** Whether it is sent tools, those of pages included. Default: `true`. */
  readonly takesTools?: boolean;
  /**
   * Yields the events of an answer in order: text, reasoning, tools, sources, files, steps. The run adds `start` and
   * the end itself. Returns the usage, and whether the answer is whole. When `signal` is aborted, the generator ends without an error.
   *
   * @throws ModelError when the upstream fails
   */
  run(request: ModelRequest): AsyncGenerator<StreamEvent, ModelEnd, undefined>;
  /** A title for a thread after its first exchange; `undefined` when the model finds none. */
  title(request: TitleRequest): Promise<string | undefined>;
  /** What the visitor may ask after an exchange, for projects with `followUps`. */
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
  /** The upstream sends nothing for too long. */
  | "silent"
  /** The upstream ends its response without any content. */
  | "empty"
  | "failed";

/** A failure of the upstream: a code for programs, a sentence for the visitor, the provider's error as `cause`. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;
  /** The HTTP status with which the upstream has refused the request. */
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
