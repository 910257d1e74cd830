import type { Stoppable } from "./stoppable.ts";

export interface Timers extends Stoppable {
  /** Calls back after so many milliseconds. Returns its own stop. */
  after(ms: number, callback: () => void): () => void;
}

/** Timers that can all be stopped at once. */
export function createTimers(): Timers {
  const running = new Set<ReturnType<typeof setTimeout>>();
  return {
    after(ms, callback) {
      const timer = setTimeout(() => {
        running.delete(timer);
        callback();
      }, ms);
      running.add(timer);
      return () => {
        clearTimeout(timer);
        running.delete(timer);
      };
    },
    stop() {
      for (const timer of running) clearTimeout(timer);
      running.clear();
    },
  };
}
