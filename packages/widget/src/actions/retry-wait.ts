import { HttpError } from "../transport/http-error.ts";
import type { ActionContext } from "./action-context.ts";

/** The delay before a request is retried. It can be cut short. */
export interface RetryWait {
  /**
   * Resolves after this many milliseconds with a jitter of 25 %, when `end` is called, or when the signal aborts. The delay
   * that the backend has requested with the error (`Retry-After`) comes first.
   */
  take(ms: number, error?: unknown): Promise<void>;
  end(): void;
}

export function createRetryWait(context: Pick<ActionContext, "after" | "random">, signal: AbortSignal): RetryWait {
  let end: () => void = () => undefined;
  return {
    end: () => end(),
    async take(ms, error) {
      if (signal.aborted) return;
      const over = Promise.withResolvers<void>();
      // A jitter of a quarter, so that visitors whom one failure has disconnected do not all return at once.
      const asked = (error instanceof HttpError && error.retryAfterMs) || 0;
      const clear = context.after(asked + ms * (0.75 + context.random() / 2), over.resolve);
      end = over.resolve;
      signal.addEventListener("abort", end);
      await over.promise;
      signal.removeEventListener("abort", end);
      clear();
    },
  };
}
