import { partsOf } from "../message.ts";
import type { EventOf } from "../stream-event.ts";
import type { Answer } from "./fold.ts";
import { withPartAt } from "./fold.ts";

/**
 * Appends content of the host's own kind, or replaces the content with the same name and id.
 *
 * @example
 * // data-order o1 { sum: 5 } · data-order o1 { sum: 7 }
 * [{ type: "data", name: "order", id: "o1", data: { sum: 7 } }]
 */
export function foldData(answer: Answer, { name, id, data }: EventOf<"data">): Answer {
  const index = partsOf(answer.message).findIndex(
    (part) => id !== undefined && part.type === "data" && part.name === name && part.id === id,
  );
  return withPartAt(answer, { type: "data", name, id, data }, index);
}
