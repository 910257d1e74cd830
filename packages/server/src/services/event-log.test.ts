import { describe, expect, it, vi } from "vitest";
import type { LoggedEvent, Storage } from "../storage/storage.ts";
import { createEventLog } from "./event-log.ts";
import { silentLog } from "./log.ts";

const event = (seq: number, runId = "r"): LoggedEvent => ({ runId, seq, data: `${seq}` });

/** A log's storage that fails as often as it is told to, and may be slow. */
function storageOf(failures = 0) {
  const batches: (readonly LoggedEvent[])[] = [];
  let left = failures;
  let hold: Promise<void> = Promise.resolve();
  const events = {
    flushMs: 5,
    async append(batch: readonly LoggedEvent[]) {
      await hold;
      left -= 1;
      if (left >= 0) throw new Error("away");
      batches.push(batch);
    },
  } as Storage["events"];
  const holdBack = () => {
    const held = Promise.withResolvers<void>();
    hold = held.promise;
    return held.resolve;
  };
  return { events, batches, holdBack };
}

describe("the log of events", () => {
  it("keeps what comes together in one batch, in order", async () => {
    const { events, batches } = storageOf();
    const log = createEventLog(events, silentLog);
    for (const seq of [1, 2, 3]) log.add(event(seq));
    await vi.waitFor(() => expect(batches).toEqual([[event(1), event(2), event(3)]]));
    expect(log.unflushed("r")).toEqual([]);
  });

  it("writes one batch at a time, and knows what is not kept yet", async () => {
    const { events, batches, holdBack } = storageOf();
    const log = createEventLog(events, silentLog);
    const release = holdBack();
    log.add(event(1));
    const flushed = log.flush(1_000);
    log.add(event(2));
    log.add(event(1, "other"));
    expect(log.unflushed("r")).toEqual([event(1), event(2)]);
    release();
    await flushed;
    expect(batches).toEqual([[event(1)], [event(2), event(1, "other")]]);
  });

  it("tries again with all that has come meanwhile when the database was away", async () => {
    const { events, batches } = storageOf(2);
    const log = createEventLog(events, silentLog);
    log.add(event(1));
    await vi.waitFor(() => expect(log.failingFor()).toBeGreaterThan(0));
    log.add(event(2));
    await vi.waitFor(() => expect(batches).toEqual([[event(1), event(2)]]));
    expect([log.failingFor(), log.unflushed("r")]).toEqual([0, []]);
  });

  it("says when nothing could be kept in time", async () => {
    const { events, holdBack } = storageOf();
    const log = createEventLog(events, silentLog);
    const release = holdBack();
    log.add(event(1));
    await expect(log.flush(10)).rejects.toThrow("has not answered for 10 ms");
    release();
    log.stop();
  });
});
