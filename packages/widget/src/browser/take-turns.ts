/**
 * Returns a function that calls `act` while no other call with this name is in progress in any page of this browser. If one is,
 * a call with `waits` waits for its turn, and a call without it starts at once with `isAlone` false. A prerendered page gets
 * its turn when it is shown. If pages cannot take turns (no HTTPS, a sandbox), each call counts as alone.
 *
 * @param signal ends the wait for a turn
 */
export function takeTurns(name: string, signal: AbortSignal) {
  return (waits: boolean | undefined, act: (isAlone: boolean) => Promise<void>) =>
    new Promise<void>((resolve, reject) => {
      const begin = (lock?: Lock | null) => act(lock !== null).then(resolve, reject);
      const request = async () => navigator.locks.request(name, waits ? { signal } : { ifAvailable: true }, begin);
      request().catch(() => (signal.aborted ? resolve() : begin()));
    });
}
