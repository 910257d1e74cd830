import { afterEach, expect, it, vi } from "vitest";
import { MISSING_FRAME_MS } from "../timings.ts";
import { createFrames } from "./frames.ts";

let frames = createFrames();
afterEach(() => {
  frames.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

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
  // The message that ends the measurement arrives after the frame.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await frame(() => undefined)).toBeGreaterThanOrEqual(5);
});

it("does not measure a frame in which nothing was done", async () => {
  frames = createFrames();
  const nextFrame = (result: boolean) =>
    new Promise<number>((resolve) => {
      frames.schedule((_, lastFrameMs) => {
        resolve(lastFrameMs);
        return result;
      });
    });
  const measured: number[] = [];
  for (const result of [false, false, true, false, false]) measured.push(await nextFrame(result));
  expect(measured.map((ms) => ms > 0)).toEqual([false, false, false, true, true]);
});

it("continues when frames stop coming, after the same delay for each", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "requestAnimationFrame"] });
  let framesLeft = 1;
  vi.stubGlobal("requestAnimationFrame", (callback: FrameRequestCallback) => {
    if (framesLeft > 0) setTimeout(() => callback(performance.now()), 16);
    framesLeft -= 1;
    return 1;
  });
  frames = createFrames();
  const calledAt: number[] = [];
  const start = performance.now();
  const note = () => calledAt.push(performance.now() - start);
  frames.schedule(note);
  vi.advanceTimersByTime(100);
  // The timer that guards the first frame is still running.
  frames.schedule(note);
  vi.advanceTimersByTime(2 * MISSING_FRAME_MS);
  frames.schedule(note);
  vi.advanceTimersByTime(MISSING_FRAME_MS);
  const secondAt = 100;
  const thirdAt = secondAt + 2 * MISSING_FRAME_MS;
  expect(calledAt).toEqual([16, secondAt + MISSING_FRAME_MS, thirdAt + MISSING_FRAME_MS]);
});

it("calls back the others of a frame although one throws, and reports that one", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "requestAnimationFrame"] });
  const reported: unknown[] = [];
  vi.stubGlobal("reportError", (error: unknown) => reported.push(error));
  frames = createFrames();
  const called: string[] = [];
  const error = new Error("broken");
  frames.schedule(() => called.push("first"));
  frames.schedule(() => {
    throw error;
  });
  frames.schedule(() => called.push("third"));
  vi.advanceTimersByTime(MISSING_FRAME_MS);
  frames.schedule(() => called.push("next frame"));
  vi.advanceTimersByTime(MISSING_FRAME_MS);
  expect({ called, reported }).toEqual({ called: ["first", "third", "next frame"], reported: [error] });
});
