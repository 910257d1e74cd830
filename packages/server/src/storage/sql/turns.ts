import { setImmediate } from "node:timers/promises";

/** Lets those who wait go on one after the other, each in a turn of the event loop of its own. */
export function createTurns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => setImmediate());
    return last;
  };
}
