import type { Folds } from "./fold.ts";
import { endBlock, startBlock, writeBlock } from "./text-block.ts";

export const reasoningFolds: Folds<"reasoning-start" | "reasoning-delta" | "reasoning-end"> = {
  "reasoning-start": (draft, event) => startBlock(draft, "reasoning", event.id),
  "reasoning-delta": (draft, event) => writeBlock(draft, "reasoning", event.id, event.delta),
  "reasoning-end": (draft, event) => endBlock(draft, "reasoning", event.id),
};
