import { foldFile } from "./folds/file.ts";
import type { Answer } from "./folds/fold.ts";
import { foldSource } from "./folds/source.ts";
import { foldTextBlock } from "./folds/text-block.ts";
import { foldToolCall } from "./folds/tool-call.ts";
import { partsOf } from "./message.ts";
import type { MessageStatus } from "./message.ts";
import type { TextPart } from "./parts/text.ts";
import type { StreamEvent } from "./stream-event.ts";

export type { Answer } from "./folds/fold.ts";

/** The folds of the parts, by the word that their events begin with. */
const folds = {
  text: foldTextBlock,
  reasoning: foldTextBlock,
  tool: foldToolCall,
  source: foldSource,
  file: foldFile,
} as Readonly<Record<string, ((answer: Answer, event: StreamEvent) => Answer) | undefined>>;

/** An answer to which nothing has been said yet. */
export function beginAnswer(id: string, parentId?: string | null): Answer {
  const status = { type: "running" } as const;
  return { message: { id, parentId, role: "assistant", content: [], status }, open: {} };
}

/**
 * What an event makes of an answer: the one fold of both sides, pure. `start` renames the message in place; `finish`,
 * `error` and `abort` settle it, and nothing after them changes it; `data-error` gives the next `error` its code; events
 * of the thread (titles, activity) leave it as it is.
 *
 * @example
 * const answer = events.reduce(applyEvent, beginAnswer("a1"));
 * answer.message.content // [{ type: "text", text: "Привет" }]
 */
export function applyEvent(answer: Answer, event: StreamEvent): Answer {
  const { message } = answer;
  if (message.status?.type !== "running") return answer;
  switch (event.type) {
    case "start":
      return { ...answer, message: { ...message, id: event.messageId ?? message.id } };
    case "finish":
      return settle(answer, { type: "complete" });
    case "abort":
      return settle(answer, { type: "incomplete", reason: "cancelled" });
    case "data-error":
      return { ...answer, code: event.code };
    case "error":
      return settle(answer, failureOf(event.errorText, answer.code));
    default:
      return folds[event.type.split("-")[0] as string]?.(answer, event) ?? answer;
  }
}

/** An answer that a dead server has cut off is told by an `error` too, but its reason is another one. */
function failureOf(error: string, code: string | undefined): MessageStatus {
  return code === "interrupted"
    ? { type: "incomplete", reason: code }
    : { type: "incomplete", reason: "error", error, ...(code !== undefined && { code }) };
}

/** The answer at its end. What has settled stays so: a `finish` after an `error` makes no success of it. */
export function settle(answer: Answer, status: MessageStatus): Answer {
  const { message } = answer;
  if (message.status?.type !== "running") return answer;
  // A block that was opened and never written to is no part of the answer.
  const content = partsOf(message).filter((part) => (part as Partial<TextPart>).text !== "");
  return { message: { ...message, content, status }, open: {} };
}
