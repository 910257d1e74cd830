import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Clock } from "../clock.ts";

type Delta = Extract<LanguageModelV4StreamPart, { readonly delta: string }>;

/**
 * The same stream with its deltas merged: the first goes out at once, later ones at most every `windowMs`. An upstream
 * that breaks off becomes an `error` part, so that nothing of what it said before is lost on the way.
 */
export function coalesceDeltas(
  source: ReadableStream<LanguageModelV4StreamPart>,
  windowMs: number,
  clock: Clock,
): ReadableStream<LanguageModelV4StreamPart> {
  const reader = source.getReader();
  let held: Delta | undefined;
  let stopTimer: (() => void) | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;
  let left = false;

  return new ReadableStream<LanguageModelV4StreamPart>({
    start: (controller) => {
      void pump(controller);
    },
    cancel: async (reason) => {
      left = true;
      stopTimer?.();
      await reader.cancel(reason);
    },
  });

  async function pump(controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>): Promise<void> {
    const flush = () => {
      stopTimer?.();
      stopTimer = undefined;
      if (!held) return;
      controller.enqueue(held);
      held = undefined;
      sentAt = clock.now();
    };
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (left) return;
        if (done) break;
        if (!isPlainDelta(value)) {
          flush();
          controller.enqueue(value);
          continue;
        }
        if (held && (held.type !== value.type || held.id !== value.id)) flush();
        if (held) {
          held = { ...held, delta: held.delta + value.delta };
          continue;
        }
        held = value;
        const wait = sentAt + windowMs - clock.now();
        if (wait <= 0) flush();
        else stopTimer = clock.after(wait, flush);
      }
      flush();
      controller.close();
    } catch (error) {
      if (left) return;
      flush();
      controller.enqueue({ type: "error", error });
      controller.close();
    }
  }
}

/** A delta with nothing but its text: what bears a provider's metadata passes as it is. */
function isPlainDelta(part: LanguageModelV4StreamPart): part is Delta {
  return "delta" in part && !("providerMetadata" in part && part.providerMetadata !== undefined);
}
