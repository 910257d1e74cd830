import type { StreamEvent } from "./stream-event.ts";
import { parseStreamEvent } from "./stream-event.ts";
import type { SseEvent } from "./sse.ts";
import { DONE, SseDecoder } from "./sse.ts";

/** An event as it came, with its number where the server gives one. */
export interface StreamFrame {
  readonly event: StreamEvent;
  readonly seq?: number;
}

/**
 * The events of a response's body up to `[DONE]` or its end. What cannot be parsed is skipped.
 *
 * @returns `true` when the stream said that it was done, `false` when it merely closed
 */
export async function* readStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamFrame, boolean, undefined> {
  const utf8 = new TextDecoder();
  const sse = new SseDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const completed: readonly SseEvent[] = done
        ? [...sse.push(utf8.decode()), ...sse.flush()]
        : sse.push(utf8.decode(value, { stream: true }));
      for (const { data, id } of completed) {
        if (data.trim() === DONE) return true;
        const seq = id === undefined ? Number.NaN : Number(id);
        for (const event of eventsOf(data)) yield Number.isSafeInteger(seq) ? { event, seq } : { event };
      }
      if (done) return false;
    }
  } finally {
    // A reader that leaves early lets go of the connection; one that is at the end has nothing to let go of.
    await reader.cancel().catch(() => undefined);
  }
}

/** Lax backends put several events, or rubbish beside an event, between two blank lines: then each line counts alone. */
function eventsOf(data: string): StreamEvent[] {
  const event = parseStreamEvent(data);
  if (event) return [event];
  return data.includes("\n") ? data.split("\n").flatMap((line) => parseStreamEvent(line) ?? []) : [];
}
