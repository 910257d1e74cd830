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
    endOf(answer),
  ];
}

/** The event that ends a stream as the stored answer has ended. */
export function endOf({ status }: Pick<Message, "status">): StreamEvent {
  if (status?.type !== "incomplete") return { type: "finish", finishReason: "stop" };
  if (status.reason === "cancelled") return { type: "abort", reason: "cancelled" };
  return { type: "error", errorText: status.error ?? textOfReason(status.reason) };
}

function textOfReason(reason: string): string {
  return reason === "interrupted" ? failureTexts.interrupted : failureTexts.failed;
}
