import type { StreamEvent } from "./stream-event.ts";
import { parseStreamEvent } from "./stream-event.ts";
import { createSseDecoder, DONE } from "./sse.ts";

/** An event with its id. A reader that rejoins sends the last id that it received, and gets the later events. */
export interface StreamFrame {
  readonly event: StreamEvent;
  /** Absent when the server sends no ids. */
  readonly id?: string | undefined;
}

/**
 * Reads the events of a response body until `[DONE]` or its end. Events that cannot be parsed are skipped. A reader
 * that leaves early cancels the body, which closes the connection.
 *
 * @returns `true` after `[DONE]`, `false` when the body ended without it
 * @throws the body's error when the connection breaks, after all events that arrived completely
 *
 * @example
 * // data: {"type":"text-delta","delta":"a"} · data: <html> · data: [DONE]
 * for await (const { event } of readStream(response.body)) answer = applyEvent(answer, event);
 * // one event: { type: "text-delta", delta: "a" }
 */
export async function* readStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamFrame, boolean, undefined> {
  const utf8 = new TextDecoder();
  const push = createSseDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const text = utf8.decode(value, { stream: !done });
      // Lax backends leave out the blank line after the last event.
      for (const { data, id } of push(done ? `${text}\n\n` : text)) {
        for (const event of eventsOf(data)) {
          if (event === DONE) return true;
          yield { event, id: id || undefined };
        }
      }
      if (done) return false;
    }
  } finally {
    // Has no effect at the end of the body.
    await reader.cancel().catch(() => {});
  }
}

/**
 * The events in the data of one server-sent event. Lax backends put several events, or an event and garbage, between
 * two blank lines: data that is not an event as a whole is read line by line.
 *
 * @example
 * eventsOf('{"type":"finish"}') // [{ type: "finish" }]
 * eventsOf('{"type":"finish"}\noops\n[DONE]') // [{ type: "finish" }, "[DONE]"]
 */
function eventsOf(data: string): (StreamEvent | typeof DONE)[] {
  const event = parseStreamEvent(data);
  if (event) return [event];
  return data.split("\n").flatMap((line) => (line.trim() === DONE ? DONE : (parseStreamEvent(line) ?? [])));
}
