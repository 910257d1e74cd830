import { foldData } from "./folds/data.ts";
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

/**
 * The folds that write parts, by the first word of an event's type: `text` of `text-delta`, `tool` of
 * `tool-input-start`.
 */
const foldsByWord = {
  text: foldTextBlock,
  reasoning: foldTextBlock,
  tool: foldToolCall,
  source: foldSource,
  file: foldFile,
} as Readonly<Record<string, ((answer: Answer, event: StreamEvent) => Answer) | undefined>>;

/**
 * Applies one event to an answer. Server and widget both build answers with this function. It is pure.
 *
 * - `start` gives the message the server's id, if the event has one, and keeps everything else: `parentId`, parts,
 *   status.
 * - `text-…`, `reasoning-…`, `tool-…`, `source-…`, `file` and `data` write parts.
 * - `data-suggestions` sets the answer's suggestions, also after its end.
 * - `data-error` stores its code for the next `error`.
 * - `finish` (also with a reason that the answer was cut off), `error` and `abort` end the answer. Later events change
 *   nothing, except for `data-suggestions`.
 * - Every other event (titles, activity, steps) returns the same answer object.
 *
 * @example
 * const events = [
 *   { type: "start", messageId: "m1" },
 *   { type: "text-delta", id: "t1", delta: "При" },
 *   { type: "text-delta", id: "t1", delta: "вет" },
 *   { type: "finish" },
 * ];
 * events.reduce(applyEvent, beginAnswer("a1", "q1")).message
 * // { id: "m1", parentId: "q1", role: "assistant", content: [{ type: "text", text: "Привет" }], status: { type: "complete" } }
 */
export function applyEvent(answer: Answer, event: StreamEvent): Answer {
  const { message } = answer;
  if (event.type === "data-suggestions") {
    return { ...answer, message: { ...message, suggestions: event.suggestions } };
  }
  if (message.status?.type !== "running") return answer;
  switch (event.type) {
    case "start":
      return { ...answer, message: { ...message, id: event.messageId ?? message.id } };
    case "finish": {
      const { finishReason: reason } = event;
      // The answer reached its length limit, or the model's service cut it off.
      const isCutOff = reason === "length" || reason === "content-filter";
      return endAnswer(answer, isCutOff ? { type: "incomplete", reason } : { type: "complete" });
    }
    case "abort":
      return endAnswer(answer, { type: "incomplete", reason: "cancelled" });
    case "data":
      return foldData(answer, event);
    case "data-tool-approved":
      return foldToolCall(answer, event);
    case "data-error":
      return { ...answer, code: event.code };
    case "error": {
      const { code } = answer;
      // The server of the run died.
      const isInterrupted = code === "interrupted";
      return endAnswer(
        answer,
        isInterrupted
          ? { type: "incomplete", reason: code }
          : { type: "incomplete", reason: "error", error: event.errorText, code },
      );
    }
    default:
      // `data-title`, `thread-rename` and `start-step` have no fold and change nothing.
      return foldsByWord[event.type.replace(/-.*/, "")]?.(answer, event) ?? answer;
  }
}

/**
 * Gives a running answer its final status, and removes its empty text and reasoning parts. An ended answer is returned
 * unchanged: a `finish` after an `error` does not make it complete.
 */
export function endAnswer(answer: Answer, status: MessageStatus): Answer {
  const { message } = answer;
  if (message.status?.type !== "running") return answer;
  const content = partsOf(message).filter((part) => (part as Partial<TextPart>).text !== "");
  return { ...answer, message: { ...message, content, status } };
}
