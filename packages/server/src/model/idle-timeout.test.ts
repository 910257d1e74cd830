import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { systemClock } from "./clock.ts";
import { startIdleTimeout } from "./idle-timeout.ts";

it("an idle timeout may be longer than Node's longest timer, with a single timer", async () => {
  let timers = 0;
  const clock: typeof systemClock = {
    now: () => systemClock.now(),
    after(ms, callback) {
      timers += 1;
      return systemClock.after(ms, callback);
    },
  };
  const timeout = startIdleTimeout(2 ** 31, clock);
  await sleep(30);
  timeout.stop();
  expect([timers, timeout.signal.aborted]).toEqual([1, false]);
});
