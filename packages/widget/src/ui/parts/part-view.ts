import type { Part, PartType, Role } from "@nitka/protocol";
import type { ComponentType } from "react";
import type { Appended } from "../../store/state.ts";

/** The parts of one type. */
export type PartOf<T extends PartType> = Extract<Part, { readonly type: T }>;

/** What a part's view knows of the message around it. */
export interface PartPlace {
  /** Unique in the page: ids inside the part begin with it. */
  readonly partId: string;
  readonly author: Role;
  /** The answer is running. */
  readonly running: boolean;
  /** The answer is running and this is its last part: new text goes here. */
  readonly writing: boolean;
  /** What the last frame added to this part's text. */
  readonly appended: Appended | undefined;
  /** The sources of the message that its texts cite by number; absent where there are none. */
  readonly cited: readonly PartOf<"source">[] | undefined;
}

/** The view of one type of part: `each` shows a part in its place, `together` all parts of a message at its end. */
export type PartView<T extends PartType> =
  | { readonly each: ComponentType<{ readonly part: PartOf<T>; readonly place: PartPlace }> }
  | { readonly together: ComponentType<{ readonly parts: readonly PartOf<T>[] }> };
