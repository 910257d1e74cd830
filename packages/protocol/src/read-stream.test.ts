import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { applyEvent, endAnswer } from "./apply-event.ts";
import { beginAnswer } from "./begin-answer.ts";
import type { Message } from "./message.ts";
import { readStream } from "./read-stream.ts";
import type { StreamFrame } from "./read-stream.ts";
import type { StreamEvent } from "./stream-event.ts";

/** The reading of a recorded stream. */
interface Recording {
  /** A description of the case. */
  readonly what: string;
  /** Whether `[DONE]` arrived. */
  readonly done: boolean;
  readonly message: Message;
  /** The events about the thread: titles, activity. */
  readonly threadEvents?: readonly StreamEvent[];
  /** The ids of the events. */
  readonly ids?: readonly string[];
}

const folder = new URL("../fixtures/", import.meta.url);
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".sse"))
  .map((file) => file.slice(0, -".sse".length));

describe.each(names)("the recorded stream %s", (name) => {
  const bytes = readFileSync(new URL(`${name}.sse`, folder));
  const recording = JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8")) as Recording;

  it(`is read as recorded: ${recording.what}`, async () => {
    expect(await play([bytes])).toEqual(recording);
  });

  it("is read the same when it is cut in two at any byte", async () => {
    // Texts are compared, because `toEqual` takes ten times as long, and there are thousands of cuts.
    const whole = JSON.stringify(await play([bytes]));
    const differing: number[] = [];
    for (let at = 0; at <= bytes.length; at += 1) {
      const read = await play([bytes.subarray(0, at), bytes.subarray(at)]);
      if (JSON.stringify(read) !== whole) differing.push(at);
    }
    expect(differing, "the bytes at which a cut changes what is read").toEqual([]);
  });

  it("is read the same byte by byte", async () => {
    expect(await play(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(recording);
  });

  async function play(pieces: readonly Uint8Array[]): Promise<Recording> {
    const { frames, done } = await readAll(streamOf(pieces));
    const events = frames.map(({ event }) => event);
    const threadEvents = events.filter(({ type }) => type.startsWith("data-") || type.startsWith("thread-"));
    const ids = frames.flatMap(({ id }) => id ?? []);
    const folded = events.reduce(applyEvent, beginAnswer("answer"));
    const { message } = done ? endAnswer(folded, { type: "complete" }) : folded;
    return {
      what: recording.what,
      done,
      message,
      ...(threadEvents.length > 0 && { threadEvents }),
      ...(ids.length > 0 && { ids }),
    };
  }
});

describe("readStream", () => {
  it("cancels the body when its reader leaves early", async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytesOf('data: {"type":"text-delta","delta":"a"}\n\n')),
      cancel: () => {
        cancelled = true;
      },
    });
    const events = readStream(body);
    expect((await events.next()).value).toEqual({ event: { type: "text-delta", delta: "a" } });
    await events.return(false);
    expect(cancelled).toBe(true);
  });

  it("cancels the body at [DONE]", async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytesOf("data: [DONE]\n\n")),
      cancel: () => {
        cancelled = true;
      },
    });
    expect(await readAll(body)).toEqual({ frames: [], done: true });
    expect(cancelled).toBe(true);
  });

  it("rejects when the connection breaks, after the events that arrived completely", async () => {
    const pieces = [bytesOf('data: {"type":"text-delta","delta":"a"}\n\ndata: {"type":')];
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const piece = pieces.shift();
        if (piece) controller.enqueue(piece);
        else controller.error(new TypeError("network error"));
      },
    });
    const events = readStream(body);
    expect((await events.next()).value).toEqual({ event: { type: "text-delta", delta: "a" } });
    await expect(events.next()).rejects.toThrow("network error");
  });

  it("yields an event as soon as its blank line arrives", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const events = readStream(readable);
    void writer.write(bytesOf('data: {"type":"text-delta","delta":"now"}\n\ndata: {"type":"fin'));
    expect((await events.next()).value).toEqual({ event: { type: "text-delta", delta: "now" } });
    void writer.close();
    expect(await events.next()).toEqual({ done: true, value: false });
  });

  it("passes an id on unchanged, and leaves out an empty one", async () => {
    const body = streamOf([bytesOf('id: run-7:1\ndata: {"type":"start"}\n\nid:\ndata: {"type":"finish"}\n\n')]);
    expect((await readAll(body)).frames).toEqual([
      { event: { type: "start" }, id: "run-7:1" },
      { event: { type: "finish" } },
    ]);
  });
});

async function readAll(body: ReadableStream<Uint8Array>) {
  const events = readStream(body);
  const frames: StreamFrame[] = [];
  for (;;) {
    const next = await events.next();
    if (next.done) return { frames, done: next.value };
    frames.push(next.value);
  }
}

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
