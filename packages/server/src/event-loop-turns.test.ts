import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { createEventLoopTurns } from "./event-loop-turns.ts";

it("one caller continues in each turn of the event loop, in the order of their calls", async () => {
  const turns = createEventLoopTurns();
  const gone: string[] = [];
  const all = ["a", "b", "c"].map(async (name) => {
    for (let n = 0; n < 2; n += 1) {
      await turns.next();
      gone.push(`${name}${n}`);
    }
  });
  const perTurn: number[] = [];
  while (gone.length < 6) {
    const before = gone.length;
    await setImmediate();
    perTurn.push(gone.length - before);
  }
  await Promise.all(all);
  expect(gone).toEqual(["a0", "b0", "c0", "a1", "b1", "c1"]);
  expect(Math.max(...perTurn)).toBe(1);
});
