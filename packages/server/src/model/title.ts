/** Titles of threads: the prompt that asks a model for one, and the rule that cleans what it wrote. */
import type { Message } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";
import { shortTitle } from "@nitka/protocol/thread-title";

/** A longer line is an answer to the message, not a title. */
const MAX_RAW_CHARS = 120;

const MAX_EXCERPT = 1_500;

export const titleInstructions =
  "You name conversations for a list in a sidebar. Answer with the title alone: two to five words in the language of the " +
  "visitor's message, no quotation marks, no full stop at its end, no markup. Name the subject, do not answer the message.";

/** The first exchange as the prompt for a title; `undefined` when the question has no text. */
export function titlePrompt(history: readonly Message[]): string | undefined {
  const question = excerpt(history.find((message) => message.role === "user"));
  if (!question) return undefined;
  const answer = excerpt(history.find((message) => message.role === "assistant"));
  return `<visitor>\n${question}\n</visitor>${answer ? `\n<assistant>\n${answer}\n</assistant>` : ""}`;
}

/**
 * The title in what a model wrote; `undefined` when there is none.
 *
 * @example parseTitle("Title: **Green tea.**") // "Green tea"
 */
export function parseTitle(text: string): string | undefined {
  const line = text
    .replace(/<think>.*?<\/think>/s, "")
    .split("\n")
    .map((each) => each.trim())
    .find((each) => each !== "");
  if (!line || line.length > MAX_RAW_CHARS) return undefined;
  const bare = stripPunctuation(
    stripPunctuation(line).replace(/^(?:title|заголовок|название|тема)\s*:/i, ""),
  ).replaceAll(/\s+/g, " ");
  return bare === "" ? undefined : shortTitle(bare);
}

/** Removes markup, quotation marks and punctuation from both ends. */
function stripPunctuation(text: string): string {
  return text.replaceAll(/^[\s#>*_`"'«“„-]+|[\s*_`"'»”.,:;…-]+$/g, "");
}

function excerpt(message: Message | undefined): string | undefined {
  const text = message ? textOf(message).trim().slice(0, MAX_EXCERPT).toWellFormed() : "";
  return text === "" ? undefined : text;
}
