import type { Message } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";

/** The most characters of the question, and of the answer. The beginning says what they are about. */
const MAX_EXCERPT_CHARS = 1_500;

/** A question and its answer as the prompt of a request about them; `undefined` when the question has no text. */
export function exchangePrompt(history: readonly Message[]): string | undefined {
  const question = excerpt(history.find((message) => message.role === "user"));
  if (!question) return undefined;
  const answer = excerpt(history.find((message) => message.role === "assistant"));
  return `<visitor>\n${question}\n</visitor>${answer ? `\n<assistant>\n${answer}\n</assistant>` : ""}`;
}

function excerpt(message: Message | undefined): string | undefined {
  const text = message ? textOf(message).trim().slice(0, MAX_EXCERPT_CHARS).toWellFormed() : "";
  return text === "" ? undefined : text;
}
