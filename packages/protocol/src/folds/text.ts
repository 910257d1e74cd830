import type { Folds } from "./fold.ts";
import { endBlock, startBlock, writeBlock } from "./text-block.ts";

export const textFolds: Folds<"text-start" | "text-delta" | "text-end"> = {
  "text-start": (draft, event) => startBlock(draft, "text", event.id),
  "text-delta": (draft, event) => writeBlock(draft, "text", event.id, event.delta),
  "text-end": (draft, event) => endBlock(draft, "text", event.id),
};
