import { expect, it } from "vitest";
import { oneAtATime } from "./one-at-a-time.ts";

it("Calls during the work cause one more after it, and a later call begins it again", async () => {
  const begun: PromiseWithResolvers<void>[] = [];
  const work = oneAtATime(() => {
    const next = Promise.withResolvers<void>();
    begun.push(next);
    return next.promise;
  });
  const first = work();
  await Promise.all([work(), work()]);
  expect(begun).toHaveLength(1);
  begun[0]?.resolve();
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.resolve();
  await first;
  expect(begun).toHaveLength(2);
  void work();
  expect(begun).toHaveLength(3);
});

it("Work that fails can begin again", async () => {
  let tries = 0;
  const work = oneAtATime(async () => {
    tries += 1;
    throw new Error("failed");
  });
  await expect(work()).rejects.toThrow("failed");
  await expect(work()).rejects.toThrow("failed");
  expect(tries).toBe(2);
});
