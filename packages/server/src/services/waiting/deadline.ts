/** A signal that is aborted after a time limit. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Resolves when the signal is aborted. */
  readonly over: Promise<undefined>;
  /** To be called when the work is done: after this, the signal is never aborted. */
  readonly stop: () => void;
}

/**
 * A deadline after `ms` milliseconds, or earlier when one of `signals` is aborted. `AbortSignal.timeout` and
 * `AbortSignal.any` cannot be stopped: they would leave a timer behind for each finished work, and abort later.
 */
export function startDeadline(ms: number, signals: readonly AbortSignal[]): Deadline {
  const controller = new AbortController();
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  const stop = () => {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener("abort", abort);
  };
  const abort = () => {
    stop();
    controller.abort();
    resolve(undefined);
  };
  const timer = setTimeout(abort, ms);
  timer.unref();
  for (const signal of signals) signal.addEventListener("abort", abort);
  if (signals.some(({ aborted }) => aborted)) abort();
  return { signal: controller.signal, over, stop };
}
