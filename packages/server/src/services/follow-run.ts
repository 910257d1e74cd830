import { setTimeout as sleep } from "node:timers/promises";
import type { Message } from "@nitka/protocol";
import { serializeEvent } from "@nitka/protocol/serialize-event";
import type { LogBatch, Owner, Storage, StoredRun } from "../storage/storage.ts";
import { asOwner } from "./as-owner.ts";
import { endOf } from "./replay.ts";
import type { RunReader } from "./run-reader.ts";
import type { Timings } from "./timings.ts";

/** A title that comes after the end is in no log: so often the thread is asked for it. */
const TITLE_POLL_MS = 200;

/**
 * Serves a reader from the log of a run that another instance pumps, to its end or until it goes. The end itself is not
 * in the log: it is what the storage says of the answer; a title that comes
 * after it is what the storage says of the thread.
 */
export async function followRun(
  run: StoredRun,
  owner: Owner,
  reader: RunReader,
  storage: Storage,
  { slowReaderMs, titleMs }: Pick<Timings, "slowReaderMs" | "titleMs">,
): Promise<void> {
  const title = async () => (await storage.threads.find(owner, run.threadId))?.title ?? "";
  const untitled = (await title()) === "";
  let isTitleTold = false;
  while (!reader.closed) {
    const end = await readAlong(run, reader, storage.events, (data) => {
      isTitleTold ||= data.startsWith('{"type":"data-title"');
    });
    if (!(await reader.hasRoom(slowReaderMs))) return;
    if (end === undefined) continue;
    // What the reader lacks is in the stored answer alone: cut off, it asks anew and is told to read that.
    if (end === "broken") return reader.drop();
    const answer = await asOwner(storage.runs, { runId: run.runId, owner }, (now) =>
      storage.messages.find(now, run.threadId, run.answerId),
    );
    for (const event of endOf(answer ?? { status: { type: "incomplete", reason: "cancelled" } })) {
      reader.push(reader.cursor + 1, serializeEvent(event));
    }
    if (untitled && !isTitleTold && answer && getsTitle(answer)) {
      const late = await within(titleMs, title);
      if (late !== "") reader.push(reader.cursor + 1, serializeEvent({ type: "data-title", title: late }));
    }
    reader.end();
  }
}

/** Resolves to how the log ended, when the run is over; to `undefined` when the reader has gone or is full. */
async function readAlong(
  run: StoredRun,
  reader: RunReader,
  events: Storage["events"],
  onEvent: (data: string) => void,
): Promise<LogBatch["end"]> {
  const over = Promise.withResolvers<LogBatch["end"]>();
  const stop = events.follow(run.runId, reader.cursor, (batch: LogBatch) => {
    for (const { seq, data } of batch.events) {
      onEvent(data);
      reader.push(seq, data);
    }
    if (batch.end) over.resolve(batch.end);
  });
  const end = await Promise.race([over.promise, reader.stopped().then(() => undefined)]);
  stop();
  return end;
}

/** Whether a title is made after this answer, where the thread has none. */
function getsTitle({ status, content }: Message): boolean {
  return (
    status?.type === "complete" ||
    (status?.type === "incomplete" && status.reason === "cancelled" && content.length > 0)
  );
}

/** What is asked for, as soon as it is there; an empty text after the time. */
async function within(ms: number, ask: () => Promise<string>): Promise<string> {
  const deadline = Date.now() + ms;
  for (;;) {
    const answer = await ask();
    if (answer !== "" || Date.now() >= deadline) return answer;
    await sleep(TITLE_POLL_MS, undefined, { ref: false });
  }
}
