import { expect, it } from "vitest";
import { OpenBlocks } from "./open-blocks.ts";

it("OpenBlocks ends only the open blocks, in the order in which they were opened", () => {
  const blocks = new OpenBlocks();
  blocks.note({ type: "reasoning-start", id: "a" });
  blocks.note({ type: "text-start", id: "a" });
  blocks.note({ type: "reasoning-start", id: "b" });
  blocks.note({ type: "text-start", id: "b" });
  blocks.note({ type: "text-delta", id: "b", delta: "слово" });
  blocks.note({ type: "reasoning-end", id: "b" });
  blocks.note({ type: "text-end", id: "b" });
  expect(blocks.ends()).toEqual([
    { type: "reasoning-end", id: "a" },
    { type: "text-end", id: "a" },
  ]);
});
