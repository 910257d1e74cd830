import type { ActionContext } from "./action-context.ts";

/** A wait that can be cut short. */
export interface Pause {
  /** Resolves after this many milliseconds with a jitter of 25 %, at `end`, or when the signal aborts. */
  wait(ms: number): Promise<void>;
  end(): void;
}

export function createPause(context: Pick<ActionContext, "after" | "random">, signal: AbortSignal): Pause {
  let end: () => void = () => undefined;
  return {
    end: () => end(),
    async wait(ms) {
      if (signal.aborted) return;
      const over = Promise.withResolvers<void>();
      // Jitter of a quarter: the visitors whom one failure cut off do not all return at once.
      const clear = context.after(ms * (0.75 + context.random() / 2), over.resolve);
      end = over.resolve;
      signal.addEventListener("abort", end);
      await over.promise;
      signal.removeEventListener("abort", end);
      clear();
    },
  };
}
