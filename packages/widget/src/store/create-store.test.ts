// @vitest-environment node
import { describe, expect, it, vi } from "vitest";
import { createStore } from "./create-store.ts";

/** A store of a number. The test draws its frames. */
function startStore() {
  let frames: ((time: number) => void)[] = [];
  const heard: number[] = [];
  let asked = 0;
  const store = createStore(0, (callback) => {
    asked += 1;
    frames.push(callback);
  });
  const stop = store.subscribe(() => heard.push(store.get()));
  const frame = () => {
    const due = frames;
    frames = [];
    for (const callback of due) callback(0);
  };
  return { store, heard, stop, frame, asked: () => asked };
}

describe("a store", () => {
  it("notifies of each change at once", () => {
    const { store, heard } = startStore();
    store.set((count) => count + 1);
    store.set((count) => count + 1);
    expect(heard).toEqual([1, 2]);
  });

  it("notifies of nothing when the state stays the same object", () => {
    const { store, heard } = startStore();
    store.set((count) => count);
    expect(heard).toEqual([]);
  });

  it("changes at once and notifies once at the next frame when the pace is frame", () => {
    const { store, heard, frame, asked } = startStore();
    store.set((count) => count + 1, "frame");
    store.set((count) => count + 1, "frame");
    expect(store.get()).toBe(2);
    expect(heard).toEqual([]);
    expect(asked()).toBe(1);
    frame();
    expect(heard).toEqual([2]);
  });

  it("does not notify at the frame if an immediate change has notified already", () => {
    const { store, heard, frame } = startStore();
    store.set((count) => count + 1, "frame");
    store.set((count) => count + 1);
    frame();
    expect(heard).toEqual([2]);
  });

  it.each(["now", "frame"] as const)("reports a listener's error and notifies the others, with the pace %s", (pace) => {
    const reported = vi.fn<(error: unknown) => void>();
    vi.stubGlobal("reportError", reported);
    const { store, heard, frame } = startStore();
    const errors = [new Error("first"), new Error("second")];
    for (const error of errors)
      store.subscribe(() => {
        throw error;
      });
    store.subscribe(() => heard.push(-store.get()));
    store.set((count) => count + 1, pace);
    frame();
    store.set((count) => count + 1, pace);
    frame();
    vi.unstubAllGlobals();
    expect(heard).toEqual([1, -1, 2, -2]);
    expect(reported.mock.calls.flat()).toEqual([...errors, ...errors]);
  });

  it("does not notify a listener that has unsubscribed", () => {
    const { store, heard, stop } = startStore();
    stop();
    store.set((count) => count + 1);
    expect(heard).toEqual([]);
  });
});
