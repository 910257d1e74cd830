/** What of a conversation goes to the model. Pure. */
import type { Message, Part } from "@nitka/protocol";
import { branchTo } from "@nitka/protocol/branch";
import { partsOf } from "@nitka/protocol/message";
import { FILE_CHARS } from "./parts/part-kind.ts";
import { partKind } from "./parts/part-kinds.ts";

/** A text file is read out to the model up to here. */
const MAX_FILE_CHARS = 100_000;

/**
 * The branch that ends in a question, as the model gets it: without what says nothing, and from its end on only as much
 * as fits.
 *
 * @param messages the thread's tree, the question in it
 * @param budget characters that there is room for; `null` for all. The question itself always goes.
 */
export function historyOf(messages: readonly Message[], questionId: string, budget: number | null): readonly Message[] {
  const said = branchTo(messages, questionId).flatMap(({ message }) => spoken(message) ?? []);
  if (budget === null) return said;
  let left = budget - charsOf(said.at(-1));
  let first = said.length - 1;
  while (first > 0) {
    left -= charsOf(said[first - 1]);
    if (left < 0) break;
    first -= 1;
  }
  // An answer whose question did not fit would begin the conversation with an answer to nothing.
  while (first < said.length - 1 && said[first]?.role !== "user") first += 1;
  return said.slice(Math.max(0, first));
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

function charsOf(message: Message | undefined): number {
  if (!message) return 0;
  const parts = partsOf(message).reduce((sum, part) => sum + partKind(part).promptChars(part), 0);
  const attachments = (message.attachments ?? []).reduce(
    (sum, { contentType, size }) =>
      sum + (contentType.startsWith("text/") ? Math.min(size, MAX_FILE_CHARS) : FILE_CHARS),
    0,
  );
  return parts + attachments;
}
