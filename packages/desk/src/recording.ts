/** Recordings of streams in the format of `packages/protocol/fixtures`: the bytes of a response, and their reading. */
import type { Message, StreamEvent } from "@nitka/protocol";
import { applyEvent, endAnswer } from "@nitka/protocol/apply-event";
import { beginAnswer } from "@nitka/protocol/begin-answer";
import { readStream } from "@nitka/protocol/read-stream";
import { createSseDecoder, DONE, encodeSse } from "@nitka/protocol/sse";
import { parseStreamEvent } from "@nitka/protocol/stream-event";

/** The result of reading a recorded stream. */
export interface RecordingReading {
  /** A description of the case. */
  readonly what: string;
  /** Whether `[DONE]` arrived. */
  readonly done: boolean;
  readonly message: Message;
  /** The events about the thread: titles, activity. */
  readonly threadEvents?: readonly StreamEvent[];
}

/** The body of a response that streams these events. */
export function recordingText(events: readonly string[]): string {
  return [...events, DONE].map((data) => encodeSse(data)).join("");
}

/** Reads a recording. The answer has the id `answer`, as in the fixtures, unless its `start` contains another id. */
export async function readRecording(what: string, text: string): Promise<RecordingReading> {
  const events: StreamEvent[] = [];
  const frames = readStream(new Blob([text]).stream());
  let next = await frames.next();
  for (; !next.done; next = await frames.next()) events.push(next.value.event);
  const done = next.value;
  const folded = events.reduce(applyEvent, beginAnswer("answer"));
  const threadEvents = events.filter(({ type }) => type.startsWith("data-") || type.startsWith("thread-"));
  return {
    what,
    done,
    message: (done ? endAnswer(folded, { type: "complete" }) : folded).message,
    ...(threadEvents.length > 0 && { threadEvents }),
  };
}

/** The data of each frame of a recording, without `[DONE]`; `undefined` when no frame contains an event. */
export function recordedEvents(text: string): readonly string[] | undefined {
  const events = createSseDecoder()(`${text.replace(/^\uFEFF/, "")}\n\n`)
    .map(({ data }) => data)
    .filter((data) => data.trim() !== DONE);
  const isStream = events.some(
    (data) =>
      data.split("\n").some((line) => parseStreamEvent(line) !== undefined) || parseStreamEvent(data) !== undefined,
  );
  return isStream ? events : undefined;
}
