import type { Part, PartType, Role } from "@nitka/protocol";
import type { ComponentType } from "react";
import type { Appended } from "../../store/state.ts";

/** The part of one type. */
export type PartOf<T extends PartType> = Extract<Part, { readonly type: T }>;

/** Where a part stands. */
export interface PartPlace {
  /** This part's own name in the page, for what it holds to be named by. */
  readonly partId: string;
  readonly author: Role;
  /** The answer is running. */
  readonly running: boolean;
  /** The answer is running, and this is its last part: what is written is written here. */
  readonly writing: boolean;
  /** What the last frame added to this part's text. */
  readonly appended: Appended | undefined;
}

/** How parts of one type are shown: each by itself where it stands, or all of a message together at its end. */
export type PartView<T extends PartType> =
  | { readonly each: ComponentType<{ readonly part: PartOf<T>; readonly place: PartPlace }> }
  | { readonly together: ComponentType<{ readonly parts: readonly PartOf<T>[] }> };
