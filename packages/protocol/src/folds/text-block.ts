import { partsOf } from "../message.ts";
import { put } from "./fold.ts";
import type { Fold } from "./fold.ts";

/** The kinds of part that arrive as blocks of deltas. */
type BlockType = "text" | "reasoning";

/**
 * Opens and writes blocks of text; several may be open side by side. An id keeps its part until it is started anew, and
 * is announced now if it was not; without one, the end of the answer goes on while it is of the same kind.
 */
export const foldTextBlock: Fold<BlockType> = (answer, event) => {
  const [type, action] = event.type.split("-") as [BlockType, string];
  const { id, delta = "" }: { readonly id?: string | undefined; readonly delta?: string } = event;
  if (action === "end") return answer;
  const { message, open } = answer;
  const parts = partsOf(message);
  const key = type + id;
  const place = id === undefined ? parts.length - 1 : (open[key] ?? parts.length);
  const part = parts[place];
  return action === "delta" && part?.type === type
    ? put(answer, { type, text: part.text + delta }, place)
    : put({ message, open: { ...open, [key]: parts.length } }, { type, text: delta });
};
