import type { Message, StreamEvent } from "@nitka/protocol";
import { partsOf } from "@nitka/protocol/message";
import { runFailureTexts } from "./run-failure.ts";
import { partEvents } from "./part-events.ts";

/**
 * A stored answer as a stream of events: `start`, its parts, its end. Folded, they give the answer again.
 *
 * @example replay(answer).reduce(applyEvent, beginAnswer("")).message.content // as in `answer`
 */
export function replay(answer: Message): readonly StreamEvent[] {
  return [
    { type: "start", messageId: answer.id },
    ...partsOf(answer).flatMap((part, index) => partEvents(part, String(index))),
    ...suggestionsOf(answer),
    ...endOf(answer),
  ];
}

function suggestionsOf({ suggestions }: Message): readonly StreamEvent[] {
  return suggestions ? [{ type: "data-suggestions", suggestions }] : [];
}

/**
 * The events at the end of the stream of an answer with this status. The AI SDK's `error` has no field for a code, so
 * a `data-error` with the code comes first.
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
 * Whether a thread without a title gets one after this answer. After a failure it waits for the next answer. An answer that
 * could not be stored was written all the same.
 */
export function isTitledAfter({ status }: Pick<Message, "status">, isEmpty: boolean): boolean {
  if (status?.type !== "incomplete") return status?.type === "complete";
  return status.code === "not_kept" || (!isEmpty && (status.reason === "cancelled" || cutOff.has(status.reason)));
}

/** The reasons of answers that are not whole and have not failed: `finish` tells them. */
const cutOff: ReadonlySet<string> = new Set(["length", "content-filter"]);

function textOfReason(reason: string): string {
  return reason === "interrupted" ? runFailureTexts.interrupted : runFailureTexts.failed;
}
