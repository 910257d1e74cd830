import { partsOf } from "../message.ts";
import { withPartAt } from "./fold.ts";
import type { Fold } from "./fold.ts";

/** The types of parts that arrive as blocks of deltas. */
type BlockType = "text" | "reasoning";

/**
 * Opens blocks of text or reasoning, and appends deltas to them. Several blocks may be open at the same time.
 *
 * - A delta with an id goes to the block of that id. If there is no such block, it is opened.
 * - A `start` with an id that was used before opens a new block.
 * - A delta without an id goes to the answer's last part if that has the same type; otherwise it opens a block.
 *
 * @example
 * // start a · delta a "1" · start b · delta b "2" · delta a "3"
 * [{ type: "text", text: "13" }, { type: "text", text: "2" }]
 *
 * @example
 * // delta "1" · source-url · delta "2", none with an id
 * [{ type: "text", text: "1" }, { type: "source", … }, { type: "text", text: "2" }]
 */
export const foldTextBlock: Fold<BlockType> = (answer, event) => {
  const [type, action] = event.type.split("-") as [BlockType, string];
  const { id, delta = "" }: { readonly id?: string | undefined; readonly delta?: string } = event;
  if (action === "end") return answer;
  const { blocks } = answer;
  const parts = partsOf(answer.message);
  const block = type + id;
  const index = id === undefined ? parts.length - 1 : (blocks[block] ?? parts.length);
  const part = parts[index];
  return action === "delta" && part?.type === type
    ? withPartAt(answer, { type, text: part.text + delta }, index)
    : withPartAt({ ...answer, blocks: { ...blocks, [block]: parts.length } }, { type, text: delta });
};
