import type { StreamEvent } from "@nitka/protocol";

/** Events that do not belong to the answer, or may follow its end. */
const anywhere = /^data-(title|thread-title|suggestions|thinking|progress|error)$|^thread-rename$/;

/**
 * What is wrong with the order of a stream's events.
 *
 * @example streamProblem([{ type: "finish" }, { type: "text-delta", delta: "a" }]) // "text-delta after finish"
 */
export function streamProblem(events: readonly StreamEvent[]): string | undefined {
  const calls = new Set<string>();
  const closed = new Set<string>();
  let end: string | undefined;
  let parts = 0;
  for (const event of events) {
    const { type } = event;
    if (anywhere.test(type)) continue;
    if (end !== undefined) return `${type} after ${end}`;
    if (type === "start" && parts > 0) return "start after the first part";
    if (type === "finish" || type === "error" || type === "abort") end = type;
    else if (type !== "start") parts += 1;

    if (type === "tool-input-start" || type === "tool-input-available" || type === "tool-input-error") {
      calls.add(event.toolCallId);
    } else if ("toolCallId" in event && !calls.has(event.toolCallId)) {
      return `${type} of the tool call ${event.toolCallId}, which no event has announced`;
    }
    if (type === "text-start" || type === "reasoning-start") closed.delete(String(event.id));
    if (type === "text-end" || type === "reasoning-end") closed.add(String(event.id));
    if ((type === "text-delta" || type === "reasoning-delta") && event.id !== undefined && closed.has(event.id)) {
      return `${type} of the block ${event.id}, which has ended`;
    }
  }
  return undefined;
}
