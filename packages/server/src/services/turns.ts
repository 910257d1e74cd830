/** Work that takes a while without a pause, one piece of it in each turn of the event loop. */
export interface Turns {
  /** Resolves in a turn of the loop in which it does for nobody else. */
  next(): Promise<void>;
}

export function createTurns(): Turns {
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
