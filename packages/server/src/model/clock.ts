/** The clock of a model. Tests replace it with one that they advance by hand. */
export interface Clock {
  /** Milliseconds since an arbitrary moment; only differences are meaningful. */
  now(): number;
  /** Calls `callback` after `ms` milliseconds. Returns a function that cancels the timer. */
  after(ms: number, callback: () => void): () => void;
}

/** The clock of the machine. It is monotonic. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms` milliseconds, or at once when the signal is aborted. It never rejects. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      stop();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const stop = clock.after(ms, done);
    signal.addEventListener("abort", done, { once: true });
  });
}
