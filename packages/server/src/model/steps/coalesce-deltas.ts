import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Clock } from "../clock.ts";
import { StepBudget } from "./step-budget.ts";

type Delta = Extract<LanguageModelV4StreamPart, { readonly delta: string }>;

/**
 * Merges the deltas of a stream, and holds it to its budget. The first delta is sent at once, later ones at most every `windowMs`. An error of the
 * source becomes an `error` part: a stream that errors would drop the parts that are still queued.
 *
 * @example
 * // within one window: "He" "llo " "wor" "ld"
 * // sent:              "He" "llo world"
 */
export function coalesceDeltas(
  source: ReadableStream<LanguageModelV4StreamPart>,
  windowMs: number,
  clock: Clock,
): ReadableStream<LanguageModelV4StreamPart> {
  const reader = source.getReader();
  const budget = new StepBudget();
  let pending: Delta | undefined;
  let stopTimer: (() => void) | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;
  let isCancelled = false;

  return new ReadableStream<LanguageModelV4StreamPart>({
    start: (controller) => {
      void pump(controller);
    },
    cancel: async (reason) => {
      isCancelled = true;
      stopTimer?.();
      await reader.cancel(reason);
    },
  });

  async function pump(controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>): Promise<void> {
    const flush = () => {
      stopTimer?.();
      stopTimer = undefined;
      if (!pending) return;
      controller.enqueue(pending);
      pending = undefined;
      sentAt = clock.now();
    };
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (isCancelled) return;
        if (done) break;
        budget.spend(value);
        if (!isPlainDelta(value)) {
          flush();
          controller.enqueue(value);
          continue;
        }
        if (pending && (pending.type !== value.type || pending.id !== value.id)) flush();
        if (pending) {
          pending = { ...pending, delta: pending.delta + value.delta };
          continue;
        }
        pending = value;
        const wait = sentAt + windowMs - clock.now();
        if (wait <= 0) flush();
        else stopTimer = clock.after(wait, flush);
      }
      flush();
      controller.close();
    } catch (error) {
      if (isCancelled) return;
      flush();
      controller.enqueue({ type: "error", error });
      controller.close();
      // A source that has exceeded the budget goes on.
      reader.cancel(error).catch(() => undefined);
    }
  }
}

/** Whether a part is a delta of text only. One with a provider's metadata is not merged, so that it stays complete. */
function isPlainDelta(part: LanguageModelV4StreamPart): part is Delta {
  return "delta" in part && !("providerMetadata" in part && part.providerMetadata !== undefined);
}
