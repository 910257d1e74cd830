import type { Draft, Folds } from "./folds/fold.ts";
import { partsOf } from "./message.ts";
import type { Message, MessageStatus } from "./message.ts";
import type { Part } from "./part.ts";
import { fileFolds } from "./folds/file.ts";
import { reasoningFolds } from "./folds/reasoning.ts";
import { sourceFolds } from "./folds/source.ts";
import { textFolds } from "./folds/text.ts";
import { toolCallFolds } from "./folds/tool-call.ts";
import type { StreamEvent, StreamEventType } from "./stream-event.ts";

/** An answer while its events come in: the message so far, and its open blocks of text. */
export interface Answer {
  readonly message: Message;
  readonly open: Draft["open"];
}

/** The events that write parts; each kind of part brings its own. */
const folds: Partial<Folds<StreamEventType>> = {
  ...textFolds,
  ...reasoningFolds,
  ...toolCallFolds,
  ...sourceFolds,
  ...fileFolds,
};

/** An answer to which nothing has been said yet. */
export function beginAnswer(id: string, parentId?: string | null): Answer {
  const message: Message = { id, role: "assistant", content: [], status: { type: "running" } };
  return { message: parentId === undefined ? message : { ...message, parentId }, open: {} };
}

/**
 * What an event makes of an answer: the one fold of both sides, pure. `start` renames the message in place; `finish`,
 * `error` and `abort` settle it; events of the thread (titles, activity) leave it as it is.
 *
 * @example
 * const answer = events.reduce(applyEvent, beginAnswer("a1"));
 * answer.message.content // [{ type: "text", text: "Привет" }]
 */
export function applyEvent(answer: Answer, event: StreamEvent): Answer {
  switch (event.type) {
    case "start":
      return event.messageId === undefined
        ? answer
        : { ...answer, message: { ...answer.message, id: event.messageId } };
    case "finish":
      return settle(answer, { type: "complete" });
    case "abort":
      return settle(answer, { type: "incomplete", reason: "cancelled" });
    case "error":
      return settle(answer, { type: "incomplete", reason: "error", error: event.errorText });
    default: {
      const fold = folds[event.type] as ((draft: Draft, event: StreamEvent) => Draft) | undefined;
      if (!fold) return answer;
      const { parts, open } = fold({ parts: partsOf(answer.message), open: answer.open }, event);
      return { message: { ...answer.message, content: parts }, open };
    }
  }
}

/** The answer at its end. What has settled stays so: a `finish` after an `error` makes no success of it. */
export function settle(answer: Answer, status: MessageStatus): Answer {
  if (answer.message.status?.type !== "running") return answer;
  return { message: { ...answer.message, content: partsOf(answer.message).filter(isWritten), status }, open: {} };
}

/** Whether a part holds anything: a block that was opened and never written to does not. */
function isWritten(part: Part): boolean {
  return (part.type !== "text" && part.type !== "reasoning") || part.text !== "";
}
