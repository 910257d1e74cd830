import type { Attachment, Message, StreamEvent } from "@nitka/protocol";

/** Bytes of files in one request: about what the large providers take. */
export const MAX_FILE_BYTES = 20_000_000;

/** What a model is asked. */
export interface ModelRequest {
  /** The visible branch, its last message the question. It may hold more than the model may be sent. */
  readonly history: readonly Message[];
  readonly instructions?: string;
  /** Characters of all that the model is sent, files' texts included; `null` for no limit. The question always goes. */
  readonly contextChars: number | null;
  /** Aborted when the run is to stop. The model must let go of its upstream then. */
  readonly signal: AbortSignal;
  /** The attachments that the history's parts name, by the addresses that stand there. */
  readonly attachments?: ReadonlyMap<string, Attachment>;
  /** The bytes of an attachment of the history's own. With `maxBytes` its first ones are enough. */
  readonly readAttachment: (attachment: Attachment, maxBytes?: number) => Promise<Uint8Array>;
  /** Silence of the upstream after which the run is given up, in milliseconds; `null` waits for ever. */
  readonly idleMs: number | null;
  /** Called once for each call of a language model: at its end, or within `signal`'s abort when that cuts it. */
  readonly onUsage?: ReportUsage;
}

/** What a model is asked for a title. */
export interface TitleRequest {
  /** The first exchange of the conversation. */
  readonly history: readonly Message[];
  readonly signal: AbortSignal;
  readonly onUsage?: ReportUsage;
}

export type ReportUsage = (call: ModelCall) => void;

/**
 * What one call of a language model took, also when it failed or was cut. A call that the upstream refused took nothing
 * and is not reported.
 */
export interface ModelCall {
  /** The id of the `Model` that was called: the fallback's own, where that one spoke. */
  readonly modelId: string;
  readonly purpose: "answer" | "title";
  /** Tokens sent, those from the upstream's cache included. */
  readonly inputTokens: number;
  /** Those of `inputTokens` that came from the upstream's cache. */
  readonly cachedInputTokens: number;
  /** Tokens received, reasoning included. */
  readonly outputTokens: number;
  /** Whether the upstream did not tell the figures: then a token stands for four characters. */
  readonly estimated: boolean;
}

/** Tokens of all calls of a run. Absent where the model does not say. */
export type ModelUsage = Partial<Pick<ModelCall, "inputTokens" | "cachedInputTokens" | "outputTokens">>;

/** One language model. A folder's file for each kind; `model.contract.ts` is what all of them promise. */
export interface Model {
  readonly id: string;
  readonly name: string;
  /**
   * The answer's own events, in order: text, reasoning, tools, sources, files, steps. Neither `start` nor an end is
   * among them: the run adds those. Returns the usage; throws `ModelError` for what the upstream did wrong.
   */
  run(request: ModelRequest): AsyncGenerator<StreamEvent, ModelUsage, undefined>;
  /** A title for a conversation after its first exchange; `undefined` when the model has none. */
  title(request: TitleRequest): Promise<string | undefined>;
}

/** The kind of a failure, as `status.code` of the answer tells it to programs. */
export type ModelErrorCode =
  /** It cannot be reached, fails itself, or breaks off in the middle. */
  | "upstream_unavailable"
  /** Too many requests, or no funds left. */
  | "upstream_limited"
  /** It does not take the key or the request, or a filter of its own took the answer away. */
  | "upstream_refused"
  | "context_too_long"
  /** It says nothing for too long. */
  | "silent"
  /** It ends without having said anything. */
  | "empty"
  | "failed";

/** What an upstream did wrong: a code for programs, a sentence for the visitor, the provider's own error as `cause`. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;

  constructor(code: ModelErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ModelError";
    this.code = code;
  }
}
