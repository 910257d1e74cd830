import type { Message } from "../message.ts";
import { partsOf } from "../message.ts";
import type { Part } from "../part.ts";
import type { EventOf, StreamEventType } from "../stream-event.ts";

/** An answer while its events come in: the message so far, and which part each open block of text goes to. */
export interface Answer {
  readonly message: Message;
  readonly open: Readonly<Record<string, number>>;
  /** What `data-error` said of the `error` that follows it. */
  readonly code?: string;
}

/**
 * What an event does to an answer. Each kind of part brings the fold of the events that write it: those that begin
 * with its word, such as `text-start`, `tool-input-delta`, `source-url`, `file`.
 */
export type Fold<Word extends string> = (
  answer: Answer,
  event: EventOf<Extract<StreamEventType, Word | `${Word}-${string}`>>,
) => Answer;

/** The answer with a part in this place: instead of the one that stands there, or at the end. */
export function put({ message, open }: Answer, part: Part, place?: number): Answer {
  const parts = partsOf(message);
  return { message: { ...message, content: parts.toSpliced(place ?? parts.length, 1, part) }, open };
}
