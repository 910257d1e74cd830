import type { Message, StreamEvent } from "@nitka/protocol";
import { applyEvent } from "@nitka/protocol/apply-event";
import { beginAnswer } from "@nitka/protocol/begin-answer";
import { createSseDecoder, DONE } from "@nitka/protocol/sse";
import type { SseEvent } from "@nitka/protocol/sse";
import { parseStreamEvent } from "@nitka/protocol/stream-event";
import { excerpt, Nonconformance } from "./nonconformance.ts";
import type { OpenResponse } from "./visitor.ts";
import { reasonOf, wholeText } from "./visitor.ts";

/** The stream of a run as far as it has been read. */
export interface RunReader {
  readonly request: string;
  readonly headers: Headers;
  /** All text so far, as it arrived. */
  readonly text: () => string;
  readonly frames: () => readonly SseEvent[];
  /** The events so far. Invalid events are left out. */
  readonly events: () => readonly StreamEvent[];
  /** The answer that the events so far fold to. */
  readonly answer: () => Message;
  /** The longest silence so far, in milliseconds. */
  readonly silence: () => number;
  /** Whether `[DONE]` has arrived. */
  readonly isDone: () => boolean;
  /** Reads until the condition holds or the stream ends. */
  readonly until: (condition: (reader: RunReader) => boolean) => Promise<RunReader>;
  /** Reads to the end of the stream. */
  readonly rest: () => Promise<RunReader>;
  /** Closes the connection. */
  readonly drop: () => void;
}

/** The time limit of a model for an answer, in milliseconds. */
const ANSWER_MS = 180_000;

/** The stream of a response, which must be an event stream. */
export async function readRun(opened: OpenResponse): Promise<RunReader> {
  const { request, response, drop } = opened;
  const type = response.headers.get("content-type") ?? "no content type";
  if (response.status !== 200 || !type.startsWith("text/event-stream") || !response.body) {
    const body = excerpt(await wholeText(opened, ANSWER_MS));
    throw new Nonconformance(request, "200 and text/event-stream", `${response.status}, ${type}: ${body}`);
  }
  const chunks = response.body.getReader();
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  const push = createSseDecoder();
  const frames: SseEvent[] = [];
  let text = "";
  let silence = 0;

  /** Returns whether the stream continues. */
  const readMore = async (deadline: number): Promise<boolean> => {
    let late: ReturnType<typeof setTimeout> | undefined;
    const begun = performance.now();
    const time = new Promise<"late">((resolve) => {
      late = setTimeout(() => resolve("late"), deadline - Date.now());
    });
    const read = await Promise.race([chunks.read(), time]).catch((error: unknown) => ({ broken: reasonOf(error) }));
    clearTimeout(late);
    silence = Math.max(silence, performance.now() - begun);
    if (read === "late") {
      drop();
      throw new Nonconformance(
        request,
        `the stream's end within ${ANSWER_MS / 1000} s`,
        `an open stream: ${tailOf(text)}`,
      );
    }
    if ("broken" in read)
      throw new Nonconformance(request, "the stream to its end", `a cut connection: ${read.broken}`);
    const piece = decode(utf8, read.value, request);
    text += piece;
    frames.push(...push(piece));
    return !read.done;
  };

  const events = () => frames.flatMap(({ data }) => (data === DONE ? [] : (parseStreamEvent(data) ?? [])));
  const reader: RunReader = {
    request,
    headers: response.headers,
    text: () => text,
    frames: () => frames,
    events,
    answer: () => events().reduce(applyEvent, beginAnswer("")).message,
    silence: () => silence,
    isDone: () => frames.some(({ data }) => data === DONE),
    until: async (condition) => {
      const deadline = Date.now() + ANSWER_MS;
      while (!condition(reader) && (await readMore(deadline)));
      return reader;
    },
    rest: () => reader.until(() => false),
    drop,
  };
  return reader;
}

function decode(utf8: InstanceType<typeof TextDecoder>, bytes: Uint8Array | undefined, request: string): string {
  try {
    return utf8.decode(bytes, { stream: bytes !== undefined });
  } catch {
    throw new Nonconformance(request, "UTF-8", "bytes that are not UTF-8");
  }
}

/** The end of a text, in one line. */
export function tailOf(text: string): string {
  return text === "" ? "nothing" : `…${excerpt(text.slice(-200))}`;
}
