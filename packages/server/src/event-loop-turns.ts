import { setImmediate } from "node:timers/promises";

/**
 * Spreads the pieces of long work over turns of the event loop, one piece per turn, so that requests are served in
 * between.
 */
export interface EventLoopTurns {
  /** Resolves in a turn of the loop that no other caller gets. Callers continue in the order of their calls. */
  next(): Promise<void>;
}

export function createEventLoopTurns(): EventLoopTurns {
  let last: Promise<void> = Promise.resolve();
  return {
    next: () => {
      last = last.then(() => setImmediate());
      return last;
    },
  };
}
