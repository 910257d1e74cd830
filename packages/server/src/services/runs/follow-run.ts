import { setTimeout as sleep } from "node:timers/promises";
import type { StreamEvent } from "@nitka/protocol";
import { serializeEvent } from "@nitka/protocol/serialize-event";
import type { LogBatch, Storage, StoredRun } from "../../storage/storage.ts";
import { endOf, isTitledAfter } from "./replay.ts";
import type { RunReader } from "./run-reader.ts";
import { AFTER_END_POLL_MS } from "../timings.ts";
import type { Timings } from "../timings.ts";

/**
 * Serves a reader from the event log of a run that another instance writes, until the run ends or the reader leaves.
 * The end, a late title and suggestions are not in the log: they are read with the run.
 *
 * @param untitled whether the thread had no title when the reader came
 * @param suggests whether the project makes suggestions after its answers
 */
export async function followRun(
  run: StoredRun,
  { untitled, suggests }: { readonly untitled: boolean; readonly suggests: boolean },
  reader: RunReader,
  storage: Storage,
  { slowReaderMs, titleMs, followUpsMs }: Pick<Timings, "slowReaderMs" | "titleMs" | "followUpsMs">,
): Promise<void> {
  const push = (event: StreamEvent) => reader.push(reader.cursor + 1, serializeEvent(event));
  const readEnd = () => storage.runs.findEnd(run.runId);
  let wasTitleSent = !untitled;
  let wereSuggestionsSent = false;
  while (!reader.closed) {
    const end = await readLog(run, reader, storage.events, (data) => {
      // `serializeEvent` writes the type first.
      wasTitleSent ||= data.startsWith('{"type":"data-title"');
      wereSuggestionsSent ||= data.startsWith('{"type":"data-suggestions"');
    });
    if (!(await reader.waitForRoom(slowReaderMs))) return;
    if (end === undefined) continue;
    // Only the stored answer has the missing events. The reader rejoins, gets 204, and reads the history.
    if (end === "broken") return reader.cutOff();
    const stored = await readEnd();
    const early = wasTitleSent ? undefined : stored?.title;
    if (early !== undefined) push({ type: "data-title", title: early });
    for (const event of endOf(stored ?? { status: { type: "incomplete", reason: "cancelled" } })) push(event);
    const awaitsTitle = !wasTitleSent && early === undefined && stored && isTitledAfter(stored, stored.isEmpty);
    const awaitsSuggestions = suggests && !wereSuggestionsSent && stored?.status?.type === "complete";
    await Promise.all([
      awaitsTitle &&
        foundWithin(reader, titleMs, async () => (await readEnd())?.title).then(
          (title) => title !== undefined && push({ type: "data-title", title }),
        ),
      awaitsSuggestions &&
        foundWithin(reader, followUpsMs, async () => (await readEnd())?.suggestions).then(
          (suggestions) => suggestions && push({ type: "data-suggestions", suggestions }),
        ),
    ]);
    reader.end();
  }
}

/** Resolves to the end of the log when the run has ended, and to `undefined` when the reader is blocked or gone. */
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

/** Polls until something is found, for at most `ms` milliseconds and while the reader is connected. */
async function foundWithin<T>(reader: RunReader, ms: number, read: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + ms;
  for (;;) {
    const found = await read();
    if (found || reader.closed || performance.now() >= deadline) return found;
    await sleep(AFTER_END_POLL_MS, undefined, { ref: false });
  }
}
