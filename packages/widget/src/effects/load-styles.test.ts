import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadStyles } from "./load-styles.ts";

/** A load whose calls the test settles. */
function scriptedLoad() {
  const calls: PromiseWithResolvers<void>[] = [];
  const load = () => {
    const call = Promise.withResolvers<void>();
    calls.push(call);
    return call.promise;
  };
  return { load, calls };
}

const failure = new Error("base.css could not be loaded.");

describe("stylesheets", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("that come in time are there, and leave no timer", async () => {
    const { load, calls } = scriptedLoad();
    const isThere = loadStyles(load, new AbortController().signal);
    calls[0]?.resolve();
    expect(await isThere).toBe(true);
    await vi.advanceTimersByTimeAsync(0);
    expect({ calls: calls.length, timers: vi.getTimerCount() }).toEqual({ calls: 1, timers: 0 });
  });

  it("that fail hold nothing up, and are asked for again, after seconds, half a minute and when the network is back", async () => {
    const { load, calls } = scriptedLoad();
    const isThere = loadStyles(load, new AbortController().signal);
    calls[0]?.reject(failure);
    expect(await isThere).toBe(false);
    const counts = [];
    for (const ms of [1999, 1, 7999, 1, 29_999, 1, 30_000]) {
      await vi.advanceTimersByTimeAsync(ms);
      counts.push(calls.length);
      calls.at(-1)?.reject(failure);
    }
    expect(counts).toEqual([1, 2, 2, 3, 3, 4, 5]);
    await vi.advanceTimersByTimeAsync(1);
    window.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(0);
    expect(calls).toHaveLength(6);
    calls.at(-1)?.resolve();
    await vi.advanceTimersByTimeAsync(60_000);
    window.dispatchEvent(new Event("online"));
    expect({ calls: calls.length, timers: vi.getTimerCount() }).toEqual({ calls: 6, timers: 0 });
  });

  it("that take long block nothing, and are requested again only if they fail", async () => {
    const { load, calls } = scriptedLoad();
    const isThere = loadStyles(load, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await isThere).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(1);
    calls[0]?.reject(failure);
    await vi.advanceTimersByTimeAsync(2000);
    expect(calls).toHaveLength(2);
  });

  it("that hang are not requested again meanwhile, however often the network is back", async () => {
    const { load, calls } = scriptedLoad();
    void loadStyles(load, new AbortController().signal);
    calls[0]?.reject(failure);
    await vi.advanceTimersByTimeAsync(2000);
    for (let time = 0; time < 5; time += 1) {
      window.dispatchEvent(new Event("online"));
      await vi.advanceTimersByTimeAsync(60_000);
    }
    expect(calls).toHaveLength(2);
    calls[1]?.reject(failure);
    await vi.advanceTimersByTimeAsync(1);
    window.dispatchEvent(new Event("online"));
    window.dispatchEvent(new Event("online"));
    expect(calls).toHaveLength(3);
    calls[2]?.resolve();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([calls.length, vi.getTimerCount()]).toEqual([3, 0]);
  });

  it("are not asked for again once the widget ends", async () => {
    const { load, calls } = scriptedLoad();
    const life = new AbortController();
    void loadStyles(load, life.signal);
    calls[0]?.reject(failure);
    await vi.advanceTimersByTimeAsync(1);
    life.abort();
    await vi.advanceTimersByTimeAsync(60_000);
    expect({ calls: calls.length, timers: vi.getTimerCount() }).toEqual({ calls: 1, timers: 0 });
  });
});
