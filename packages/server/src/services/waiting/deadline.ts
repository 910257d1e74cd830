/** A signal that is aborted when a time is over. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Resolves when the signal is aborted. */
  readonly over: Promise<undefined>;
  /** From now on the signal stays as it is. To be called when the work is done. */
  readonly stop: () => void;
}

/**
 * A deadline after `ms`, or earlier with the first of `signals` that is aborted. `AbortSignal.timeout` and
 * `AbortSignal.any` cannot be stopped: each work that is done would leave a timer behind, and later an abort.
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
