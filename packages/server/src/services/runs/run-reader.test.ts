import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createReaderScheduler, RunReader } from "./run-reader.ts";

const WRITE_MS = 16;

/**
 * A reader with its writes so far. Its connection accepts everything, or is full after each write.
 *
 * @param room resolves with whether a full connection has room again
 */
function openReader(room?: Promise<boolean>) {
  const writes: string[] = [];
  const closing = Promise.withResolvers<void>();
  const sink = {
    write: (piece: string | Uint8Array) => writes.push(String(piece)) > 0 && room === undefined,
    waitForRoom: () => room ?? Promise.resolve(true),
    end: () => undefined,
    cutOff: () => undefined,
    onClose: (call: () => void) => void closing.promise.then(call),
  };
  const scheduler = createReaderScheduler({ pingMs: 15_000, writeMs: WRITE_MS });
  const reader = new RunReader(sink, scheduler, { after: 0 });
  return { reader, writes, disconnect: () => closing.resolve(), stop: () => scheduler.stop() };
}

/** Lets everything run that needs no timer. */
const callbackEnds = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a reader", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("gets its first events at once, those of one callback in one write", async () => {
    const { reader, writes, stop } = openReader();
    reader.push(1, "a");
    reader.push(2, "b");
    expect(writes).toEqual([]);
    await callbackEnds();
    expect(writes).toEqual(["data: a\n\ndata: b\n\n"]);
    stop();
  });

  it("gets later events gathered", async () => {
    const { reader, writes, stop } = openReader();
    reader.push(1, "a");
    await callbackEnds();
    vi.advanceTimersByTime(1000);
    reader.push(2, "b");
    vi.advanceTimersByTime(WRITE_MS - 1);
    reader.push(3, "c");
    await callbackEnds();
    expect(writes).toEqual(["data: a\n\n"]);
    vi.advanceTimersByTime(1);
    expect(writes).toEqual(["data: a\n\n", "data: b\n\ndata: c\n\n"]);
    stop();
  });

  it("gets its first ping after the silence, counted from its opening", async () => {
    const { writes, stop } = openReader();
    vi.advanceTimersByTime(14_000);
    expect(writes).toEqual([]);
    vi.advanceTimersByTime(1_000);
    expect(writes).toEqual(['data: {"type":"data-ping","data":{},"transient":true}\n\n']);
    stop();
  });

  it("gets no empty write when nothing is pending", () => {
    const { reader, writes, stop } = openReader();
    reader.flush();
    expect(writes).toEqual([]);
    stop();
  });

  it("is waited for no longer when its connection closes", async () => {
    const { reader, disconnect, stop } = openReader();
    let isBlocked = false;
    void reader.whenBlocked().then(() => (isBlocked = true));
    await callbackEnds();
    expect(isBlocked).toBe(false);
    disconnect();
    await callbackEnds();
    expect([isBlocked, reader.closed]).toEqual([true, true]);
    stop();
  });

  it.each([true, false])(
    "waits while its connection is full, and stays connected if that has room again: %s",
    async (has) => {
      const room = Promise.withResolvers<boolean>();
      const { reader, stop } = openReader(room.promise);
      reader.push(1, "a");
      let connected: boolean | undefined;
      void reader.waitForRoom(1000).then((stays) => (connected = stays));
      await callbackEnds();
      expect(connected).toBeUndefined();
      room.resolve(has);
      await callbackEnds();
      expect([connected, reader.closed]).toEqual([has, !has]);
      stop();
    },
  );
});
