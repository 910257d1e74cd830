import { setImmediate } from "node:timers/promises";

/** Makes callers continue one after the other, each in its own turn of the event loop. */
export function createTurns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => setImmediate());
    return last;
  };
}
