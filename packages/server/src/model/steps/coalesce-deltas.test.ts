import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { coalesceDeltas } from "./coalesce-deltas.ts";
import { createManualClock } from "../testing/manual-clock.ts";

describe("coalesceDeltas", () => {
  it("sends the first delta at once, and those of the next window as one", async () => {
    const { clock, source, read } = await merged();
    source.enqueue(text("a"));
    source.enqueue(text("b"));
    source.enqueue(text("c"));
    await clock.advance(32);
    expect(read).toEqual([text("a")]);
    await clock.advance(1);
    expect(read).toEqual([text("a"), text("bc")]);
  });

  it("does not delay deltas that arrive slowly", async () => {
    const { clock, source, read } = await merged();
    source.enqueue(text("a"));
    await clock.advance(50);
    source.enqueue(text("b"));
    await clock.advance(0);
    expect(read).toEqual([text("a"), text("b")]);
  });

  it("keeps the order of parts, and merges only deltas of the same block", async () => {
    const { clock, source, read } = await merged();
    const parts: readonly LanguageModelV4StreamPart[] = [
      { type: "reasoning-delta", id: "1", delta: "r" },
      text("a"),
      text("b"),
      text("c", "2"),
      { type: "text-end", id: "2" },
      { type: "tool-input-delta", id: "t", delta: "{" },
      { type: "tool-input-delta", id: "t", delta: "}" },
    ];
    for (const part of parts) source.enqueue(part);
    source.close();
    await clock.advance(0);
    expect(read).toEqual([
      { type: "reasoning-delta", id: "1", delta: "r" },
      text("ab"),
      text("c", "2"),
      { type: "text-end", id: "2" },
      { type: "tool-input-delta", id: "t", delta: "{}" },
    ]);
  });

  it("delivers everything that arrived before the upstream broke off", async () => {
    const { clock, source, read } = await merged();
    source.enqueue(text("a"));
    source.enqueue(text("b"));
    await clock.advance(0);
    const error = new Error("gone");
    source.error(error);
    await clock.advance(0);
    expect(read).toEqual([text("a"), text("b"), { type: "error", error }]);
  });

  it("does not merge deltas with provider metadata", async () => {
    const { clock, source, read } = await merged();
    const signed = { ...text("b"), providerMetadata: { google: { signature: "x" } } };
    source.enqueue(text("a"));
    source.enqueue(signed);
    source.enqueue(text("c"));
    await clock.advance(40);
    expect(read).toEqual([text("a"), signed, text("c")]);
  });

  it("cancels the source and sends nothing more when its reader cancels", async () => {
    const { clock, source, read, leave, left } = await merged();
    source.enqueue(text("a"));
    source.enqueue(text("b"));
    await clock.advance(0);
    await leave();
    await clock.advance(100);
    expect([left(), read]).toEqual([true, [text("a")]]);
  });
});

function text(delta: string, id = "1"): LanguageModelV4StreamPart {
  return { type: "text-delta", id, delta };
}

/** A stream that the test writes to, merged within 33 ms, with what its reader has received. */
async function merged() {
  const clock = createManualClock();
  let hasLeft = false;
  const opened = Promise.withResolvers<ReadableStreamDefaultController<LanguageModelV4StreamPart>>();
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    start: (controller) => opened.resolve(controller),
    cancel: () => {
      hasLeft = true;
    },
  });
  const reader = coalesceDeltas(stream.getReader(), { windowMs: 33, clock, signal: new AbortController().signal });
  const read: LanguageModelV4StreamPart[] = [];
  const reading = (async () => {
    for (let part = await reader.read(); part; part = await reader.read()) read.push(part);
  })();
  const leave = async () => {
    reader.cancel();
    await reading;
  };
  return { clock, source: await opened.promise, read, leave, left: () => hasLeft };
}
