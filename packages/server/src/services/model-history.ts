/** The messages that a model may be sent. `model/prompt` cuts them to `contextChars`. Pure. */
import type { Message, Part } from "@nitka/protocol";
import { branchTo } from "@nitka/protocol/branch";
import { partsOf } from "@nitka/protocol/message";

/**
 * The branch that ends in a question, without messages and parts that the model cannot use. How much of it fits is for the
 * model to decide.
 *
 * @param messages the thread's tree, the question in it
 */
export function modelHistory(messages: readonly Message[], questionId: string): readonly Message[] {
  return branchTo(messages, questionId).flatMap(({ message }) => forModel(message) ?? []);
}

/**
 * A message without tool calls that have no result, which providers refuse, and without what is for the page alone. A denied
 * call stays: `answerTurns` gives it a result that says so.
 *
 * @returns `undefined` for a system message, and for an answer that says nothing: blank, or cut short before its first text
 */
function forModel(message: Message): Message | undefined {
  if (message.role === "system") return undefined;
  if (message.role === "user") return message;
  const parts = partsOf(message).filter(isForModel);
  const cutShort = message.status?.type === "incomplete";
  const saysSomething = parts.some((part) => (cutShort ? isText(part) : part.type !== "reasoning" && !isBlank(part)));
  return saysSomething ? { ...message, content: parts } : undefined;
}

function isForModel(part: Part): boolean {
  return part.type !== "data" && (part.type !== "tool-call" || part.result !== undefined || part.approval === "denied");
}

function isText(part: Part): boolean {
  return part.type === "text" && !isBlank(part);
}

function isBlank(part: Part): boolean {
  return part.type === "text" && part.text.trim() === "";
}
