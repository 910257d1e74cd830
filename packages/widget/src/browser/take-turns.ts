/**
 * Gives a function that calls `act` while no other such call with this name is under way, in any page of this browser. One
 * that does not wait for its turn is made at once where another is under way, and hears that it is not alone. A prerendered
 * page has its turn once it is shown. Where pages cannot take turns (no HTTPS, a sandbox), each call is taken to be alone.
 *
 * @param signal ends the waiting
 */
export function takeTurns(name: string, signal: AbortSignal) {
  return (waits: boolean | undefined, act: (isAlone: boolean) => Promise<void>) =>
    new Promise<void>((resolve, reject) => {
      const begin = (lock?: Lock | null) => act(lock !== null).then(resolve, reject);
      const request = async () => navigator.locks.request(name, waits ? { signal } : { ifAvailable: true }, begin);
      request().catch(() => (signal.aborted ? resolve() : begin()));
    });
}
