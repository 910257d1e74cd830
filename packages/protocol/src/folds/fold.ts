import type { Part } from "../part.ts";
import type { EventOf, StreamEventType } from "../stream-event.ts";

/** The parts of an answer while it is written, and which part each open block of text goes to, by the block's key. */
export interface Draft {
  readonly parts: readonly Part[];
  readonly open: Readonly<Record<string, number>>;
}

/** What events of some kinds do to a draft. Each kind of part brings the folds of the events that build it. */
export type Folds<T extends StreamEventType> = {
  readonly [K in T]: (draft: Draft, event: EventOf<K>) => Draft;
};

/** The draft with a part at its end. */
export function append(draft: Draft, part: Part): Draft {
  return { ...draft, parts: [...draft.parts, part] };
}
