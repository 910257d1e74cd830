import type { Message } from "../message.ts";
import { partsOf } from "../message.ts";
import type { Part } from "../part.ts";
import type { EventOf, StreamEventType } from "../stream-event.ts";

/**
 * An answer that is built from events.
 *
 * @example
 * // After `text-start` with the id `t1` and a delta for it:
 * const answer: Answer = {
 *   message: { id: "a1", role: "assistant", content: [{ type: "text", text: "При" }], status: { type: "running" } },
 *   blocks: { textt1: 0 },
 * };
 */
export interface Answer {
  readonly message: Message;
  /** The index of the part that each block of text or reasoning writes, by the block's type and id. */
  readonly blocks: Readonly<Record<string, number>>;
  /** The code of a `data-error`, for the `error` that follows. */
  readonly code?: string;
}

/**
 * Applies the events of one kind of part to an answer: those whose type is the word itself, or begins with the word and
 * a hyphen. `Fold<"text">` takes `text-start`, `text-delta` and `text-end`; `Fold<"file">` takes `file`.
 */
export type Fold<Word extends string> = (
  answer: Answer,
  event: EventOf<Extract<StreamEventType, Word | `${Word}-${string}`>>,
) => Answer;

/** The answer with `part` in place of the part at `index`. With an index below zero the part is appended. */
export function withPartAt(answer: Answer, part: Part, index = -1): Answer {
  const { message } = answer;
  return {
    ...answer,
    message: { ...message, content: partsOf(message).toSpliced(index < 0 ? Infinity : index, 1, part) },
  };
}
