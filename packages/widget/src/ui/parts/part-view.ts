import type { PartType, Role } from "@nitka/protocol";
import type { FunctionComponent } from "react";
import type { Appended } from "../../store/state.ts";
import type { PartOf } from "../chat-context.tsx";

/** What a part's view knows about its message. */
export interface PartPlace {
  /** Unique in the page. Ids inside the part begin with it. */
  readonly partId: string;
  readonly author: Role;
  /** Whether the answer is running. */
  readonly running: boolean;
  /** Whether the answer is running and this is its last part, to which new text is added. */
  readonly writing: boolean;
  /** The text that the last frame added to this part. */
  readonly appended: Appended | undefined;
  /** The sources of the message that its texts cite by number; absent if there are none. */
  readonly cited: readonly PartOf<"source">[] | undefined;
}

/**
 * The view of one type of part. `each` shows a part in its place; `together` shows all parts of this type at the end of the
 * message.
 */
export type PartView<T extends PartType> =
  | { readonly each: FunctionComponent<{ readonly part: PartOf<T>; readonly place: PartPlace }> }
  | { readonly together: FunctionComponent<{ readonly parts: readonly PartOf<T>[] }> };
