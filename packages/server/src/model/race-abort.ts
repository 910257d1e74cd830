/**
 * Rejects with the signal's reason if it is aborted first: not every upstream and not every tool reacts to its signal.
 */
export function raceAbort<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    const settled = Promise.resolve(promise).then(resolve, reject);
    void settled.finally(() => signal.removeEventListener("abort", abort));
  });
}
