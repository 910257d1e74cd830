import { serializeEvent } from "@nitka/protocol/serialize-event";
import type { LogBatch, Owner, Storage, StoredRun } from "../storage/storage.ts";
import { asOwner } from "./as-owner.ts";
import { endOf } from "./replay.ts";
import type { RunReader } from "./run-reader.ts";

/**
 * Serves a reader from the log of a run that another instance pumps, to its end or until it goes. The end itself is not
 * in the log: it is what the storage says of the answer.
 *
 * @param slowMs how long a reader may take nothing before it is cut off
 */
export async function followRun(
  run: StoredRun,
  owner: Owner,
  reader: RunReader,
  storage: Storage,
  slowMs: number,
): Promise<void> {
  while (!reader.closed) {
    const ended = await readAlong(run, reader, storage.events);
    if (!(await reader.hasRoom(slowMs))) return;
    if (!ended) continue;
    const answer = await asOwner(storage.runs, { runId: run.runId, owner }, (now) =>
      storage.messages.find(now, run.threadId, run.answerId),
    );
    const end = endOf(answer ?? { status: { type: "incomplete", reason: "cancelled" } });
    reader.push(reader.cursor + 1, serializeEvent(end));
    reader.end();
  }
}

/** Resolves to whether the run is over, when it is, or when the reader has gone or is full. */
async function readAlong(run: StoredRun, reader: RunReader, events: Storage["events"]): Promise<boolean> {
  const over = Promise.withResolvers<boolean>();
  const stop = events.follow(run.runId, reader.cursor, (batch: LogBatch) => {
    for (const { seq, data } of batch.events) reader.push(seq, data);
    if (batch.ended) over.resolve(true);
  });
  const ended = await Promise.race([over.promise, reader.stopped().then(() => false)]);
  stop();
  return ended;
}
