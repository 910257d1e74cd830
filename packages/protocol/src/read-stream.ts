import type { StreamEvent } from "./stream-event.ts";
import { parseStreamEvent } from "./stream-event.ts";
import { createSseDecoder, DONE } from "./sse.ts";

/** An event as it came, with its id where the server gives one: what a reader names to get the later events. */
export interface StreamFrame {
  readonly event: StreamEvent;
  readonly id?: string;
}

/**
 * The events of a response's body up to `[DONE]` or its end. What cannot be parsed is skipped; a connection that breaks
 * rejects. Leaving early lets go of the connection.
 *
 * @returns `true` when the stream said that it was done, `false` when it merely closed
 *
 * @example
 * for await (const { event } of readStream(response.body)) answer = applyEvent(answer, event);
 */
export async function* readStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamFrame, boolean, undefined> {
  const utf8 = new TextDecoder();
  const push = createSseDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const text = utf8.decode(value, { stream: !done });
      for (const { data, id } of push(done ? `${text}\n\n` : text)) {
        for (const event of eventsOf(data)) {
          if (event === DONE) return true;
          yield { event, ...(id && { id }) };
        }
      }
      if (done) return false;
    }
  } finally {
    // A reader that leaves early lets go of the connection; one that is at the end has nothing to let go of.
    await reader.cancel().catch(() => {});
  }
}

/** Lax backends put several events, or rubbish beside an event, between two blank lines: then each line counts alone. */
function eventsOf(data: string): (StreamEvent | typeof DONE)[] {
  const event = parseStreamEvent(data);
  if (event) return [event];
  return data.split("\n").flatMap((line) => (line.trim() === DONE ? DONE : (parseStreamEvent(line) ?? [])));
}
