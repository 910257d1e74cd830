/** What of a conversation goes to the model. Pure. */
import type { Message, Part } from "@nitka/protocol";
import { branchTo } from "@nitka/protocol/branch";
import { partsOf } from "@nitka/protocol/message";

/**
 * The branch that ends in a question, without what says nothing. How much of it goes to the model, the model decides.
 *
 * @param messages the thread's tree, the question in it
 */
export function historyOf(messages: readonly Message[], questionId: string): readonly Message[] {
  return branchTo(messages, questionId).flatMap(({ message }) => spoken(message) ?? []);
}

/** A message without what the model could not go on from; `undefined` when nothing is left. */
function spoken(message: Message): Message | undefined {
  if (message.role === "system") return undefined;
  if (message.role === "user") return message;
  const parts = partsOf(message).filter(isDone);
  const cutShort = message.status?.type === "incomplete";
  const says = parts.some((part) => (cutShort ? isText(part) : part.type !== "reasoning" && !isBlank(part)));
  return says ? { ...message, content: parts } : undefined;
}

function isDone(part: Part): boolean {
  return part.type !== "tool-call" || part.result !== undefined;
}

function isText(part: Part): boolean {
  return part.type === "text" && !isBlank(part);
}

function isBlank(part: Part): boolean {
  return part.type === "text" && part.text.trim() === "";
}
