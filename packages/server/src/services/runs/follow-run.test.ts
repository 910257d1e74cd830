import type { Message } from "@nitka/protocol";
import { expect, it } from "vitest";
import { anna, answer, beginIn, runOf, time } from "../../storage/contract/fixture.contract.ts";
import { openSqliteStorage } from "../../storage/sqlite.ts";
import type { Storage } from "../../storage/storage.ts";
import { followRun } from "./follow-run.ts";
import { RunReader, createReaderScheduler } from "./run-reader.ts";
import { defaultTimings } from "../timings.ts";

/**
 * A reader follows a run that has ended.
 *
 * @param onRead called before each look at the run's end, with the number of the look
 * @returns the data that was written to the reader
 */
async function followEnded(
  end: Message,
  onRead: (count: number, reader: RunReader, storage: Storage, close: () => void) => unknown,
): Promise<string> {
  const storage = await openSqliteStorage({ path: ":memory:" });
  await beginIn(storage, "t1", 1);
  const run = await runOf(storage, 1);
  if (!run) throw new Error("It has begun");
  await storage.runs.end("run1", end, time(2));
  let written = "";
  let close: () => void = () => undefined;
  const sink = {
    write: (piece: string | Uint8Array) => {
      written += String(piece);
      return true;
    },
    waitForRoom: async () => true,
    end: () => undefined,
    cutOff: () => undefined,
    onClose: (listener: () => void) => (close = listener),
  };
  const scheduler = createReaderScheduler(defaultTimings);
  const reader = new RunReader(sink, scheduler, { after: 0 });
  let count = 0;
  const findEnd: typeof storage.runs.findEnd = async (runId) => {
    count += 1;
    await onRead(count, reader, storage, () => close());
    return await storage.runs.findEnd(runId);
  };
  const watched = { ...storage, runs: { ...storage.runs, findEnd } };
  await followRun(run, { untitled: true, suggests: true }, reader, watched, defaultTimings);
  scheduler.stop();
  await storage.close();
  return written;
}

it("a reader who has left ends the polling for its run's title", async () => {
  const reads: boolean[] = [];
  await followEnded(answer(1, "Да"), (count, reader, _storage, close) => {
    reads.push(reader.closed);
    // It leaves while the title is being polled.
    if (count === 3) close();
  });
  expect(reads.filter((isClosed) => isClosed).length).toBeLessThanOrEqual(1);
});

it("a reader of an answer that could not be stored gets its thread's title, like the readers on the writing instance", async () => {
  const status = { type: "incomplete", reason: "error", error: "Не получилось сохранить", code: "not_kept" } as const;
  const written = await followEnded({ ...answer(1, ""), content: [], status }, async (count, _reader, storage) => {
    // The title arrives after the end.
    if (count === 2) await storage.threads.rename(anna, "t1", "Погода", "model");
  });
  expect(written).toMatch(/not_kept.*data-title.*Погода/s);
});
