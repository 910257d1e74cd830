import { setTimeout as sleep } from "node:timers/promises";
import type { Message } from "@nitka/protocol";
import { serializeEvent } from "@nitka/protocol/serialize-event";
import type { LogBatch, Owner, Storage, StoredRun } from "../storage/storage.ts";
import { asRunOwner } from "./as-run-owner.ts";
import { endOf } from "./replay.ts";
import type { RunReader } from "./run-reader.ts";
import { TITLE_POLL_MS } from "./timings.ts";
import type { Timings } from "./timings.ts";

/**
 * Serves a reader from the event log of a run that another instance writes, until the run is over or the reader is gone. The
 * end and a title that comes after it are not in the log: they are read from the stored answer and the stored thread.
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
  let wasTitleSent = false;
  while (!reader.closed) {
    const end = await readLog(run, reader, storage.events, (data) => {
      wasTitleSent ||= data.startsWith('{"type":"data-title"');
    });
    if (!(await reader.waitForRoom(slowReaderMs))) return;
    if (end === undefined) continue;
    // The missing events are in the stored answer alone. The reader rejoins, gets 204, and reads the history.
    if (end === "broken") return reader.cutOff();
    const answer = await asRunOwner(storage.runs, { runId: run.runId, owner }, (present) =>
      storage.messages.find(present, run.threadId, run.answerId),
    );
    for (const event of endOf(answer ?? { status: { type: "incomplete", reason: "cancelled" } })) {
      reader.push(reader.cursor + 1, serializeEvent(event));
    }
    if (untitled && !wasTitleSent && answer && getsTitle(answer)) {
      const late = await textWithin(titleMs, title);
      if (late !== "") reader.push(reader.cursor + 1, serializeEvent({ type: "data-title", title: late }));
    }
    reader.end();
  }
}

/** Resolves to how the log ended when the run is over; to `undefined` when the reader is blocked or gone. */
async function readLog(
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
  const end = await Promise.race([over.promise, reader.whenBlocked().then(() => undefined)]);
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

/** Reads again and again until there is a text. An empty one after `ms`. */
async function textWithin(ms: number, read: () => Promise<string>): Promise<string> {
  const deadline = performance.now() + ms;
  for (;;) {
    const text = await read();
    if (text !== "" || performance.now() >= deadline) return text;
    await sleep(TITLE_POLL_MS, undefined, { ref: false });
  }
}
