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
}
