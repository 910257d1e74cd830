export interface Timers extends Stoppable {
  /** Calls back after this many milliseconds, unless `stop` is called before. Returns a function that cancels the callback. */
  readonly after: (ms: number, callback: () => void) => () => void;
}

/** Timers that can all be stopped at once. After `stop` no new timer is set, even by promises that settle later. */
export function createTimers(): Timers {
  const running = new Set<ReturnType<typeof setTimeout>>();
  let isStopped = false;
  return {
    after(ms, callback) {
      if (isStopped) return () => undefined;
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
      isStopped = true;
      for (const timer of running) clearTimeout(timer);
      running.clear();
    },
  };
}

/** Holds timers, frames or other resources until it is stopped. */
export interface Stoppable {
  readonly stop: () => void;
}
