import type { Message, StreamEvent } from "@nitka/protocol";
import { partsOf } from "@nitka/protocol/message";
import { failureTexts } from "./failure-text.ts";
import { partKind } from "./parts/part-kinds.ts";

/**
 * A stored answer as the stream that would make it: `start`, its parts, its end. Folded, it is the answer again.
 *
 * @example replay(answer).reduce(applyEvent, beginAnswer("")).message.content // the answer's own
 */
export function replay(answer: Message): readonly StreamEvent[] {
  return [
    { type: "start", messageId: answer.id },
    ...partsOf(answer).flatMap((part, index) => partKind(part).eventsOf(part, String(index))),
    ...endOf(answer),
  ];
}

/** The events that end a stream as the stored answer has ended: the code of a failure comes before its `error`. */
export function endOf({ status }: Pick<Message, "status">): readonly StreamEvent[] {
  if (status?.type !== "incomplete") return [{ type: "finish", finishReason: "stop" }];
  if (status.reason === "cancelled") return [{ type: "abort", reason: "cancelled" }];
  const code = status.reason === "interrupted" ? status.reason : status.code;
  return [
    ...(code === undefined ? [] : [{ type: "data-error", code } as const]),
    { type: "error", errorText: status.error ?? textOfReason(status.reason) },
  ];
}

function textOfReason(reason: string): string {
  return reason === "interrupted" ? failureTexts.interrupted : failureTexts.failed;
}
