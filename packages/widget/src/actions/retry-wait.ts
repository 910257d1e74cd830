import { HttpError } from "../transport/http-error.ts";
import type { ActionContext } from "./action-context.ts";

/** The wait before a request is tried again. It can be cut short. */
export interface RetryWait {
  /**
   * Resolves after this many milliseconds with a jitter of 25 %, at `end`, or when the signal aborts. Before it come those
   * that the backend has asked for with the error (`Retry-After`).
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
      // Jitter of a quarter: the visitors whom one failure cut off do not all return at once.
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
