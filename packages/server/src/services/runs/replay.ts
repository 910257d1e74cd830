import type { Message, Part, StreamEvent } from "@nitka/protocol";
import { partsOf } from "@nitka/protocol/message";
import { runFailureTexts } from "./run-failure.ts";
import { partEvents } from "./part-events.ts";

/**
 * A stored answer as a stream of events: `start`, its parts, its end. Folding them gives the answer again.
 *
 * @example replay(answer).reduce(applyEvent, beginAnswer("")).message.content // as in `answer`
 */
export function replay(answer: Message): readonly StreamEvent[] {
  return [
    { type: "start", messageId: answer.id },
    ...contentOf(partsOf(answer)),
    ...suggestionsOf(answer),
    ...endOf(answer),
  ];
}

/**
 * The events of parts. A cited source is a part after the text, but its event comes before the text that contains its
 * `[n]`, as when the answer was written. So such a text is opened in its place and written after its sources.
 */
function contentOf(parts: readonly Part[]): readonly StreamEvent[] {
  const events: StreamEvent[] = [];
  let held: readonly StreamEvent[] = [];
  for (const [index, part] of parts.entries()) {
    const own = partEvents(part, String(index));
    if (!isCited(part)) {
      events.push(...held);
      held = [];
    }
    const isHeld = part.type === "text" && isCited(parts[index + 1]);
    events.push(...(isHeld ? own.slice(0, 1) : own));
    if (isHeld) held = own.slice(1);
  }
  return [...events, ...held];
}

function isCited(part: Part | undefined): boolean {
  return part?.type === "source" && part.n !== undefined;
}

function suggestionsOf({ suggestions }: Message): readonly StreamEvent[] {
  return suggestions ? [{ type: "data-suggestions", suggestions }] : [];
}

/**
 * The events at the end of the stream of an answer with this status. The AI SDK's `error` has no field for a code, so a
 * `data-error` with the code comes first.
 */
export function endOf({ status }: Pick<Message, "status">): readonly StreamEvent[] {
  if (status?.type !== "incomplete") return [{ type: "finish", finishReason: "stop" }];
  if (cutOff.has(status.reason)) return [{ type: "finish", finishReason: status.reason }];
  if (status.reason === "cancelled") return [{ type: "abort", reason: "cancelled" }];
  const code = status.reason === "interrupted" ? status.reason : status.code;
  return [
    ...(code === undefined ? [] : [{ type: "data-error", code } as const]),
    { type: "error", errorText: status.error ?? textOfReason(status.reason) },
  ];
}

/**
 * Whether an untitled thread gets a title after this answer. After a failure it waits for the next answer. An answer
 * that could not be stored counts as written.
 */
export function isTitledAfter({ status }: Pick<Message, "status">, isEmpty: boolean): boolean {
  if (status?.type !== "incomplete") return status?.type === "complete";
  return status.code === "not_kept" || (!isEmpty && (status.reason === "cancelled" || cutOff.has(status.reason)));
}

/** The reasons of incomplete answers that have not failed. They are sent in `finish`. */
const cutOff: ReadonlySet<string> = new Set(["length", "content-filter"]);

function textOfReason(reason: string): string {
  return reason === "interrupted" ? runFailureTexts.interrupted : runFailureTexts.failed;
}
