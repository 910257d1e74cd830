import { setTimeout as sleep } from "node:timers/promises";
import { serializeEvent } from "@nitka/protocol/serialize-event";
import type { LogBatch, Owner, Storage, StoredRun } from "../storage/storage.ts";
import { endOf } from "./replay.ts";
import type { RunReader } from "./run-reader.ts";

/** For so long an event may be on its way to the log after its readers have it. */
const LOG_PATIENCE_MS = 1_000;

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
  // A number that was never given belongs to another run: this one is new to the reader.
  if (!(await isLogged(run, reader.cursor, storage.events))) reader.cursor = 0;
  while (!reader.closed) {
    const ended = await readAlong(run, reader, storage.events);
    if (!(await reader.hasRoom(slowMs))) return;
    if (!ended) continue;
    const answer = await storage.messages.find(owner, run.threadId, run.answerId);
    const end = endOf(answer ?? { status: { type: "incomplete", reason: "cancelled" } });
    reader.push(reader.cursor + 1, serializeEvent(end));
    reader.end();
  }
}

async function isLogged({ runId }: StoredRun, seq: number, events: Storage["events"]): Promise<boolean> {
  if (seq === 0) return true;
  const isThere = async () => (await events.read(runId, seq - 1)).length > 0;
  if (await isThere()) return true;
  await sleep(LOG_PATIENCE_MS);
  return isThere();
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
