// @vitest-environment node
import { describe, expect, it } from "vitest";
import { createStore } from "./create-store.ts";

/** A store of a number, with frames that are drawn by hand. */
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
  it("tells of each change at once", () => {
    const { store, heard } = startStore();
    store.set((count) => count + 1);
    store.set((count) => count + 1);
    expect(heard).toEqual([1, 2]);
  });

  it("tells of nothing when nothing has changed", () => {
    const { store, heard } = startStore();
    store.set((count) => count);
    expect(heard).toEqual([]);
  });

  it("tells of many small changes once with the next frame, though they are there at once", () => {
    const { store, heard, frame, asked } = startStore();
    store.set((count) => count + 1, "frame");
    store.set((count) => count + 1, "frame");
    expect(store.get()).toBe(2);
    expect(heard).toEqual([]);
    expect(asked()).toBe(1);
    frame();
    expect(heard).toEqual([2]);
  });

  it("does not tell twice of what a change that could not wait has told already", () => {
    const { store, heard, frame } = startStore();
    store.set((count) => count + 1, "frame");
    store.set((count) => count + 1);
    frame();
    expect(heard).toEqual([2]);
  });

  it("tells nobody who has left", () => {
    const { store, heard, stop } = startStore();
    stop();
    store.set((count) => count + 1);
    expect(heard).toEqual([]);
  });
});
