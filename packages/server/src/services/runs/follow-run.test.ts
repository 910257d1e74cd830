import { expect, it } from "vitest";
import { answer, beginIn, runOf, time } from "../../storage/contract/fixture.contract.ts";
import { openSqliteStorage } from "../../storage/sqlite.ts";
import { followRun } from "./follow-run.ts";
import { RunReader, createReaderScheduler } from "./run-reader.ts";
import { defaultTimings } from "../timings.ts";

it("a reader who has left is not waited for: its run's title is looked for no longer", async () => {
  const storage = await openSqliteStorage({ path: ":memory:" });
  await beginIn(storage, "t1", 1);
  const run = await runOf(storage, 1);
  if (!run) throw new Error("It has begun");
  await storage.runs.end("run1", answer(1, "Да"), time(2));
  let close: () => void = () => undefined;
  const sink = {
    write: () => true,
    waitForRoom: async () => true,
    end: () => undefined,
    cutOff: () => undefined,
    onClose: (listener: () => void) => (close = listener),
  };
  const reads: boolean[] = [];
  const scheduler = createReaderScheduler(defaultTimings);
  const reader = new RunReader(sink, scheduler, { after: 0 });
  const findEnd: typeof storage.runs.findEnd = async (runId) => {
    reads.push(reader.closed);
    // It leaves while the title is looked for.
    if (reads.length === 3) close();
    return await storage.runs.findEnd(runId);
  };
  const watched = { ...storage, runs: { ...storage.runs, findEnd } };
  await followRun(run, { untitled: true, suggests: true }, reader, watched, defaultTimings);
  expect(reads.filter((isClosed) => isClosed).length).toBeLessThanOrEqual(1);
  scheduler.stop();
  await storage.close();
});
