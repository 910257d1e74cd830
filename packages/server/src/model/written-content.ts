import type { StreamEvent } from "@nitka/protocol";
import type { EventOf } from "@nitka/protocol/stream-event";

/** Content of the host's own kind, as a tool writes it. */
export type HostContent = Omit<EventOf<"data">, "type">;

/** Content that tools write while they run, on its way into the answer. */
export interface WrittenContent {
  /** Adds content. Content after the end of the run is dropped. */
  readonly write: (content: HostContent) => void;
  /** The events of a run with the written content in between, each as soon as it is written. */
  between<End>(events: AsyncGenerator<StreamEvent, End, undefined>): AsyncGenerator<StreamEvent, End, undefined>;
}

export function createWrittenContent(): WrittenContent {
  const waiting: EventOf<"data">[] = [];
  let wake: () => void = () => undefined;
  return {
    write(content) {
      waiting.push({ type: "data", ...content });
      wake();
    },
    async *between(events) {
      let next = events.next();
      for (;;) {
        const woken = new Promise<undefined>((resolve) => {
          wake = () => resolve(undefined);
        });
        yield* waiting.splice(0);
        const result = waiting.length > 0 ? undefined : await Promise.race([next, woken]);
        if (result === undefined) continue;
        yield* waiting.splice(0);
        if (result.done) return result.value;
        yield result.value;
        next = events.next();
        // The error is seen when the promise is awaited. A reader that stops earlier must not leave an unhandled
        // rejection.
        next.catch(() => undefined);
      }
    },
  };
}
