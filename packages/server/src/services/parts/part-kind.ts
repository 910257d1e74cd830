import type { Part, PartType, StreamEvent } from "@nitka/protocol";

/** The part of one type. */
export type PartOf<T extends PartType> = Extract<Part, { readonly type: T }>;

/** What the server knows of the parts of one type. */
export interface PartKind<T extends PartType> {
  /**
   * The events that write this part. Folded, they are the part again.
   *
   * @param id the part's own in its answer, for the blocks that begin and end
   */
  readonly eventsOf: (part: PartOf<T>, id: string) => readonly StreamEvent[];
  /** What the part takes of the model's budget, in characters; 0 when the model is not told of it. */
  readonly promptChars: (part: PartOf<T>) => number;
}

/** What a picture, a sound or a page weighs beside text: about as much as providers count for one. */
export const FILE_CHARS = 4_000;
