import type { Part, PartType, StreamEvent } from "@nitka/protocol";

/** The part of one type. */
export type PartOf<T extends PartType> = Extract<Part, { readonly type: T }>;

/** How the server handles the parts of one type. */
export interface PartKind<T extends PartType> {
  /**
   * The events that write this part. Folded, they give the part again.
   *
   * @param id unique in the answer: for events that open and close a block
   */
  readonly eventsOf: (part: PartOf<T>, id: string) => readonly StreamEvent[];
}
