import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Clock } from "../clock.ts";
import type { TagSplitter } from "../wire/tag-splitter.ts";
import type { ItemReader } from "../wire/upstream-fetch.ts";
import { BrokenResponseError, excessiveUpstreamError } from "../to-model-error.ts";

type Delta = Extract<LanguageModelV4StreamPart, { readonly delta: string }>;

/** Reads the parts of a stream one after the other. */
export interface PartReader {
  /**
   * Returns the next part; `undefined` after the last one.
   *
   * @throws the signal's reason when it is aborted, even if the source ignores the signal
   */
  read(): Promise<LanguageModelV4StreamPart | undefined>;
  cancel(): void;
}

export interface CoalesceOptions {
  readonly windowMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Splits the text at reasoning tags. */
  readonly splitter?: TagSplitter | undefined;
}

/**
 * Merges the deltas of a stream, and enforces the step's budget. The first delta is sent at once, later ones at most
 * every `windowMs`. An error of the source becomes an `error` part after the parts before it. The result is not a web
 * stream, since a stream costs some microseconds per event.
 *
 * @example
 * // within one window: "He" "llo " "wor" "ld"
 * // sent:              "He" "llo world"
 */
export function coalesceDeltas(
  source: ItemReader<LanguageModelV4StreamPart>,
  { windowMs, clock, signal, splitter }: CoalesceOptions,
): PartReader {
  const budget = new StepBudget();
  const ready: LanguageModelV4StreamPart[] = [];
  let pending: Delta | undefined;
  let stopTimer: (() => void) | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;
  let isOver = false;
  // Stored, because reading `aborted` of a combined signal takes longer than everything else in `read`.
  let isAborted = signal.aborted;
  let wake: () => void = () => undefined;
  const onAbort = () => {
    isAborted = true;
    wake();
  };
  signal.addEventListener("abort", onAbort);
  void pump();

  return {
    async read() {
      for (;;) {
        if (isAborted) signal.throwIfAborted();
        const part = ready.shift();
        if (part || isOver) return part;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    cancel() {
      leave(undefined);
      ready.length = 0;
    },
  };

  async function pump(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await source.read();
        if (isOver) return;
        if (done) break;
        budget.spend(value);
        for (const part of splitter?.split(value) ?? [value]) add(isInterrupted(part) ? interruption() : part);
      }
      flush();
      isOver = true;
      wake();
    } catch (error) {
      if (isOver) return;
      flush();
      send({ type: "error", error });
      // A source that has exceeded the budget is still sending.
      leave(error);
    }
  }

  function add(part: LanguageModelV4StreamPart): void {
    if (!isPlainDelta(part)) {
      flush();
      send(part);
      return;
    }
    if (pending && (pending.type !== part.type || pending.id !== part.id)) flush();
    if (pending) {
      pending = { ...pending, delta: pending.delta + part.delta };
      return;
    }
    pending = part;
    const wait = sentAt + windowMs - clock.now();
    if (wait <= 0) flush();
    else stopTimer = clock.after(wait, flush);
  }

  function flush(): void {
    stopTimer?.();
    stopTimer = undefined;
    if (!pending) return;
    send(pending);
    pending = undefined;
    sentAt = clock.now();
  }

  function send(part: LanguageModelV4StreamPart): void {
    ready.push(part);
    wake();
  }

  function leave(reason: unknown): void {
    isOver = true;
    stopTimer?.();
    signal.removeEventListener("abort", onAbort);
    // Not awaited: an upstream that does not react to the cancellation must not delay the end of the answer.
    source.cancel(reason).catch(() => undefined);
    wake();
  }
}

/**
 * Whether a part is a plain text delta. A delta with provider metadata is not merged, so that the metadata stays
 * complete.
 */
function isPlainDelta(part: LanguageModelV4StreamPart): part is Delta {
  return "delta" in part && !("providerMetadata" in part && part.providerMetadata !== undefined);
}

/** The most characters of text, reasoning and arguments in one step: twice the output limit of the largest models. */
const MAX_CHARS = 1_000_000;

/** The most tool calls in one step. */
const MAX_CALLS = 128;

/** The number of characters that a part without text counts as, so that an endless sequence of empty parts ends too. */
const PART_CHARS = 100;

/** Limits what a model writes in one step: an upstream that never ends would exhaust the memory. */
class StepBudget {
  #chars = 0;
  #calls = 0;

  /** @throws ModelError when the part exceeds the budget */
  spend(part: LanguageModelV4StreamPart): void {
    this.#chars += "delta" in part ? part.delta.length : PART_CHARS;
    if (part.type === "tool-input-start") this.#calls += 1;
    if (this.#chars > MAX_CHARS) throw excessiveUpstreamError(`${MAX_CHARS} characters in one step`);
    if (this.#calls > MAX_CALLS) throw excessiveUpstreamError(`${MAX_CALLS} tool calls in one step`);
  }
}

/** Whether the stream has ended without the finish reason that Anthropic and Google send with each whole answer. */
function isInterrupted(part: LanguageModelV4StreamPart): boolean {
  return part.type === "finish" && part.finishReason.unified === "interrupted";
}

function interruption(): LanguageModelV4StreamPart {
  return { type: "error", error: new BrokenResponseError("a response that ends without a finish reason") };
}
