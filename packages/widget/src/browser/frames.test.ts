import { afterEach, expect, it } from "vitest";
import { createFrames } from "./frames.ts";

const frames = createFrames();
afterEach(() => frames.stop());

it("passes to each frame how long the last one took", async () => {
  const frame = (work: () => void) =>
    new Promise<number>((resolve) => {
      frames.schedule((_, lastFrameMs) => {
        work();
        resolve(lastFrameMs);
      });
    });
  const takeTime = () => {
    const start = performance.now();
    while (performance.now() < start + 5);
  };
  expect(await frame(takeTime)).toBe(0);
  // The message that ends the measurement comes after the frame.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await frame(() => undefined)).toBeGreaterThanOrEqual(5);
});
