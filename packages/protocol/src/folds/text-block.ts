import { partsOf } from "../message.ts";
import { put } from "./fold.ts";
import type { Fold } from "./fold.ts";

/** The kinds of part that arrive as blocks of deltas. */
type BlockType = "text" | "reasoning";

/**
 * Opens, writes and closes blocks of text; several may be open side by side. An id keeps its part, and is announced
 * now if it was not; without one, the end of the answer goes on while it is of the same kind.
 */
export const foldTextBlock: Fold<BlockType> = ({ message, open }, event) => {
  const [type, action] = event.type.split("-") as [BlockType, string];
  const { id, delta = "" }: { readonly id?: string | undefined; readonly delta?: string } = event;
  const key = type + id;
  if (action === "end") return { message, open: { ...open, [key]: undefined } };
  const parts = partsOf(message);
  const place = id === undefined ? parts.length - 1 : (open[key] ?? parts.length);
  const part = parts[place];
  return action === "delta" && part?.type === type
    ? put({ message, open }, { type, text: part.text + delta }, place)
    : put({ message, open: { ...open, [key]: parts.length } }, { type, text: delta });
};
