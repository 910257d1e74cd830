import { systemClock } from "../clock.ts";
import type { Clock } from "../clock.ts";

/** A clock for tests, which they advance manually. */
export interface ManualClock extends Clock {
  /** Advances the clock, runs the due callbacks in order, and lets the promises that they resolve continue. */
  advance(ms: number): Promise<void>;
}

export function createManualClock(): ManualClock {
  let now = 0;
  let timers: readonly { readonly at: number; readonly callback: () => void }[] = [];
  return {
    now: () => now,
    after: (ms, callback) => {
      const entry = { at: now + Math.max(0, ms), callback };
      timers = [...timers, entry];
      return () => {
        timers = timers.filter((each) => each !== entry);
      };
    },
    advance: async (ms) => {
      const end = now + ms;
      for (;;) {
        await flushMicrotasks();
        const [next] = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (!next) break;
        timers = timers.filter((each) => each !== next);
        now = Math.max(now, next.at);
        next.callback();
      }
      now = end;
      await flushMicrotasks();
    },
  };
}

/** The machine's clock with waits shortened to a fiftieth, for upstreams behind a real network. */
export const hurriedClock: Clock = {
  now: () => systemClock.now(),
  after: (ms, callback) => systemClock.after(ms / 50, callback),
};

/** Resolves after all microtasks. */
function flushMicrotasks(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
