/** A thread's title: how the model is asked for one, and what is made of its answer. */
import type { Message } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";

const MAX_CHARS = 60;

/** A model that writes more than this has answered instead of titling. */
const TOO_LONG = 120;

const MAX_EXCERPT = 1_500;

export const titleInstructions =
  "You name conversations for a list in a sidebar. Answer with the title alone: two to five words in the language of the " +
  "visitor's message, no quotation marks, no full stop at its end, no markup. Name the subject, do not answer the message.";

/** The first exchange, as the one message to which a title is the answer; `undefined` where nothing was asked. */
export function titlePrompt(history: readonly Message[]): string | undefined {
  const question = excerpt(history.find((message) => message.role === "user"));
  if (!question) return undefined;
  const answer = excerpt(history.find((message) => message.role === "assistant"));
  return `<visitor>\n${question}\n</visitor>${answer ? `\n<assistant>\n${answer}\n</assistant>` : ""}`;
}

/** What a model wrote, made fit for a list; `undefined` when it is no title. */
export function cleanTitle(text: string): string | undefined {
  const line = text
    .replace(/<think>.*?<\/think>/s, "")
    .split("\n")
    .map((each) => each.trim())
    .find((each) => each !== "");
  if (!line || line.length > TOO_LONG) return undefined;
  const bare = trimmed(trimmed(line).replace(/^(?:title|заголовок|название|тема)\s*:/i, "")).replaceAll(/\s+/g, " ");
  return bare === "" ? undefined : shortTitle(bare);
}

/** Without markup, quotation marks and stops around it. */
function trimmed(text: string): string {
  return text.replaceAll(/^[\s#>*_`"'«“„-]+|[\s*_`"'»”.,:;…-]+$/g, "");
}

function shortTitle(title: string): string {
  if (title.length <= MAX_CHARS) return title;
  const head = title.slice(0, MAX_CHARS);
  const space = head.lastIndexOf(" ");
  return `${(space > MAX_CHARS / 2 ? head.slice(0, space) : head).replace(/[\s.,:;—-]+$/, "").toWellFormed()}…`;
}

function excerpt(message: Message | undefined): string | undefined {
  const text = message ? textOf(message).trim().slice(0, MAX_EXCERPT).toWellFormed() : "";
  return text === "" ? undefined : text;
}
