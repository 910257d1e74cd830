/** Titles of threads: the prompt that asks a model for one, and the rule that cleans its output. */
import { shortTitle } from "@nitka/protocol/thread-title";

/** A longer line is an answer to the message, not a title. */
const MAX_RAW_CHARS = 120;

export const titleInstructions =
  "You name conversations for a list in a sidebar. Answer with the title alone: two to five words in the language of the " +
  "visitor's message, no quotation marks, no full stop at its end, no markup. Name the subject, do not answer the message.";

/**
 * The title in a model's output; `undefined` when there is none.
 *
 * @example parseTitle("Title: **Green tea.**") // "Green tea"
 */
export function parseTitle(text: string): string | undefined {
  const line = withoutThoughts(text)
    .split("\n")
    .map((each) => each.trim())
    .find((each) => each !== "");
  // Markup is not a title, and a reasoning tag may be unclosed.
  if (!line || line.length > MAX_RAW_CHARS || line.includes("<")) return undefined;
  const bare = stripPunctuation(
    stripPunctuation(line).replace(/^(?:title|заголовок|название|тема)\s*:/i, ""),
  ).replaceAll(/\s+/g, " ");
  return bare === "" ? undefined : shortTitle(bare);
}

/** The text after the last closing reasoning tag. The model's template may have opened the tag itself. */
export function withoutThoughts(text: string): string {
  return text.replace(/^.*<\/(?:think|thinking|thought|reasoning)>/s, "");
}

/** Removes markup, quotation marks and punctuation from both ends. */
function stripPunctuation(text: string): string {
  return text.replaceAll(/^[\s#>*_`"'«“„-]+|[\s*_`"'»”.,:;…-]+$/g, "");
}
