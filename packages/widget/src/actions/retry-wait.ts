import type { ActionContext } from "./action-context.ts";

/** The wait before a request is tried again. It can be cut short. */
export interface RetryWait {
  /** Resolves after this many milliseconds with a jitter of 25 %, at `end`, or when the signal aborts. */
  take(ms: number): Promise<void>;
  end(): void;
}

export function createRetryWait(context: Pick<ActionContext, "after" | "random">, signal: AbortSignal): RetryWait {
  let end: () => void = () => undefined;
  return {
    end: () => end(),
    async take(ms) {
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
