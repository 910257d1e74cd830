import type { ActionContext } from "./action-context.ts";

/** A wait that can be cut short. */
export interface Pause {
  /** Resolves after about so many milliseconds, when hurried, or when the signal aborts. */
  wait(ms: number): Promise<void>;
  hurry(): void;
}

export function createPause(context: Pick<ActionContext, "after" | "random">, signal: AbortSignal): Pause {
  let hurry: () => void = () => undefined;
  return {
    hurry: () => hurry(),
    async wait(ms) {
      if (signal.aborted) return;
      const over = Promise.withResolvers<void>();
      // Visitors whom one failure cut off do not all come back in the same moment.
      const clear = context.after(ms * (0.75 + context.random() / 2), over.resolve);
      hurry = over.resolve;
      signal.addEventListener("abort", hurry);
      await over.promise;
      signal.removeEventListener("abort", hurry);
      clear();
    },
  };
}
