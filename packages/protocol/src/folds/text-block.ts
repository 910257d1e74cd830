import type { Draft } from "./fold.ts";

/** The kinds of part that arrive as deltas of text. */
type BlockType = "text" | "reasoning";

/** Opens a block: what is written under its id from now on goes to a part of its own. */
export function startBlock(draft: Draft, type: BlockType, id: string | undefined): Draft {
  return { parts: [...draft.parts, { type, text: "" }], open: { ...draft.open, [key(type, id)]: draft.parts.length } };
}

/** Writes to the block of this id; one that was never opened goes on at the end of the answer. */
export function writeBlock(draft: Draft, type: BlockType, id: string | undefined, delta: string): Draft {
  if (delta === "") return draft;
  const index = id === undefined ? undefined : draft.open[key(type, id)];
  const at = index ?? draft.parts.length - 1;
  const part = draft.parts[at];
  // An orphan with an id of its own is a block that lost its start: it gets its part, and keeps it.
  if (part?.type !== type || (index === undefined && id !== undefined))
    return writeBlock(startBlock(draft, type, id), type, id, delta);
  return { ...draft, parts: draft.parts.with(at, { type, text: part.text + delta }) };
}

/** Closes a block: the same id may be used again for another. */
export function endBlock(draft: Draft, type: BlockType, id: string | undefined): Draft {
  const { [key(type, id)]: _, ...open } = draft.open;
  return { ...draft, open };
}

function key(type: BlockType, id: string | undefined): string {
  return `${type}:${id ?? ""}`;
}
