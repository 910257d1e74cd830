import type { Message } from "../message.ts";
import { partsOf } from "../message.ts";
import type { EventOf } from "../stream-event.ts";
import type { Answer } from "./fold.ts";
import { withPartAt } from "./fold.ts";
import { setApproval } from "./tool-call.ts";

/**
 * Appends content of the host's own kind, or replaces the content of the same name and id.
 *
 * @example
 * // data-order o1 { sum: 5 } · data-order o1 { sum: 7 }
 * [{ type: "data", name: "order", id: "o1", data: { sum: 7 } }]
 */
export function foldData(answer: Answer, { name, id, data }: EventOf<"data">): Answer {
  const part = { type: "data", name, ...(id !== undefined && { id }), data } as const;
  return withPartAt(answer, part, indexOf(answer.message, name, id));
}

/** Marks a tool call that the visitor has allowed. */
export function foldToolApproved(answer: Answer, { toolCallId }: EventOf<"data-tool-approved">): Answer {
  return setApproval(answer, toolCallId, "approved");
}

function indexOf(message: Message, name: string, id: string | undefined): number | undefined {
  const index = partsOf(message).findIndex((part) => part.type === "data" && part.name === name && part.id === id);
  return id === undefined || index < 0 ? undefined : index;
}
