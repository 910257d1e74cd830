/** Spreads pieces of long work over turns of the event loop, one piece in each, so that requests are served in between. */
export interface EventLoopTurns {
  /** Resolves in a turn of the loop that no other caller gets. */
  next(): Promise<void>;
}

export function createEventLoopTurns(): EventLoopTurns {
  const waiting: (() => void)[] = [];
  function turn(): void {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(turn);
  }
  return {
    next: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 1) setImmediate(turn);
      }),
  };
}
