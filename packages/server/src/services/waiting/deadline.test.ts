import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startDeadline } from "./deadline.ts";

describe("a deadline", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is over after its time", async () => {
    const { signal, over } = startDeadline(1000, []);
    vi.advanceTimersByTime(999);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
    await over;
  });

  it("is over with the first signal that is aborted, also with one that was aborted before", () => {
    const closing = new AbortController();
    const later = startDeadline(1000, [new AbortController().signal, closing.signal]);
    closing.abort();
    expect(later.signal.aborted).toBe(true);
    expect(startDeadline(1000, [closing.signal]).signal.aborted).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("leaves neither a timer nor a listener when it is stopped, and its signal stays unchanged", () => {
    const closing = new AbortController();
    const { signal, stop } = startDeadline(1000, [closing.signal]);
    stop();
    expect([vi.getTimerCount(), getEventListeners(closing.signal, "abort")]).toEqual([0, []]);
    closing.abort();
    expect(signal.aborted).toBe(false);
  });
});
