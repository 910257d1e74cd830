import type { Attachment, Message, StreamEvent } from "@nitka/protocol";

/** What a model is asked. */
export interface ModelRequest {
  /** The visible branch, its last message the question; already trimmed to the project's budget. */
  readonly history: readonly Message[];
  readonly instructions?: string;
  /** Aborted when the run is to stop. The model must let go of its upstream then. */
  readonly signal: AbortSignal;
  /** The bytes of an attachment of the history's own. */
  readonly readAttachment: (attachment: Attachment) => Promise<Uint8Array>;
  /** Silence of the upstream after which the run is given up, in milliseconds; `null` waits for ever. */
  readonly idleMs: number | null;
}

/** Tokens as the upstream counts them; absent where it does not say. */
export interface ModelUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

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
  title(history: readonly Message[], signal: AbortSignal): Promise<string | undefined>;
}

export type ModelErrorKind =
  | "rate_limited"
  | "unauthorized"
  | "context_too_long"
  | "timeout"
  | "unavailable"
  | "cut_off"
  | "failed";

/** What an upstream did wrong, in the visitor's terms. `cause` keeps the provider's own error. */
export class ModelError extends Error {
  readonly kind: ModelErrorKind;

  constructor(kind: ModelErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ModelError";
    this.kind = kind;
  }
}
