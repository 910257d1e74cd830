import type { Clock } from "../clock.ts";

/** A clock for tests: time passes when it is told to. */
export interface ManualClock extends Clock {
  /** Lets time pass, calling back on the way, and what waits for those calls have its turn. */
  advance(ms: number): Promise<void>;
}

export function createManualClock(): ManualClock {
  let now = 0;
  let waiting: readonly { readonly at: number; readonly callback: () => void }[] = [];
  return {
    now: () => now,
    after: (ms, callback) => {
      const entry = { at: now + Math.max(0, ms), callback };
      waiting = [...waiting, entry];
      return () => {
        waiting = waiting.filter((each) => each !== entry);
      };
    },
    advance: async (ms) => {
      const end = now + ms;
      for (;;) {
        await settled();
        const [next] = waiting.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (!next) break;
        waiting = waiting.filter((each) => each !== next);
        now = Math.max(now, next.at);
        next.callback();
      }
      now = end;
      await settled();
    },
  };
}

/** After everything that is only waiting for promises. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
