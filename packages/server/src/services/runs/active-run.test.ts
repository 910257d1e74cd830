import { describe, expect, it } from "vitest";
import { eventually } from "../../test-waits/eventually.contract.ts";
import { StorageUnavailableError } from "../../storage/storage.ts";
import { defaultTimings } from "../timings.ts";
import { ActiveRun } from "./active-run.ts";
import type { EventLogWriter } from "./event-log-writer.ts";
import { createReaderScheduler, RunReader } from "./run-reader.ts";

/** A run whose first event is only in the stored log, and a reader that has none of it. */
function openRun() {
  const eventLog: EventLogWriter = {
    add: () => undefined,
    unstored: () => [],
    isBroken: () => false,
    close: () => undefined,
    backlog: { events: 0, bytes: 0 },
    stop: () => undefined,
  };
  const record = { runId: "r", threadId: "t", questionId: "q", answerId: "a", instanceId: "here" };
  const run = new ActiveRun(record, { projectId: "shop", visitorId: "anna" }, eventLog);
  run.append({ type: "start", messageId: "a" });
  const writes: string[] = [];
  const sink = {
    write: (piece: string | Uint8Array) => writes.push(String(piece)) > 0,
    waitForRoom: async () => true,
    end: () => undefined,
    cutOff: () => undefined,
    onClose: () => undefined,
  };
  const reader = new RunReader(sink, createReaderScheduler(defaultTimings), { after: 0 });
  return { run, reader, writes };
}

describe("a reader that reads missed events from the log", () => {
  it("waits while the database is unavailable, and then gets them", async () => {
    const { run, reader, writes } = openRun();
    let reads = 0;
    const read = async () => {
      reads += 1;
      if (reads === 1) throw new StorageUnavailableError("away");
      return [{ runId: "r", seq: 1, data: "missed" }];
    };
    const served = run.serve(reader, { read }, 1000);
    await eventually(() => expect(writes).toEqual(["data: missed\n\n"]));
    expect([reads, reader.closed]).toEqual([2, false]);
    reader.cutOff();
    await served;
  });

  it("is served no further when the database refuses the query", async () => {
    const { run, reader } = openRun();
    const served = run.serve(reader, { read: () => Promise.reject(new Error("no such column")) }, 1000);
    await expect(served).rejects.toThrow("no such column");
  });
});
