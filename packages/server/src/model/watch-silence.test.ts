import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { systemClock } from "./clock.ts";
import { watchSilence } from "./watch-silence.ts";

it("waits for longer than a timer can without going off all the time", async () => {
  let timers = 0;
  const clock: typeof systemClock = {
    now: () => systemClock.now(),
    after(ms, callback) {
      timers += 1;
      return systemClock.after(ms, callback);
    },
  };
  const watch = watchSilence(2 ** 31, clock);
  await sleep(30);
  watch.stop();
  expect([timers, watch.signal.aborted]).toEqual([1, false]);
});
