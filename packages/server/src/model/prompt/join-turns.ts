import type { LanguageModelV4Message } from "@ai-sdk/provider";

/** The separator between two texts of one turn. */
const BETWEEN = "\n\n";

/** The most characters that joining two messages adds. */
export const JOIN_CHARS = BETWEEN.length;

/**
 * Joins neighbouring messages of one role, since the templates of many models refuse two in a row. These occur as two
 * questions when the answer between them failed, or as two answers when nothing of the question between them could be
 * sent.
 */
export function joinTurns(messages: readonly LanguageModelV4Message[]): LanguageModelV4Message[] {
  const joined: LanguageModelV4Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    const both = last && joinedMessage(last, message);
    if (both) joined.splice(-1, 1, both);
    else joined.push(message);
  }
  return joined;
}

function joinedMessage(
  first: LanguageModelV4Message,
  second: LanguageModelV4Message,
): LanguageModelV4Message | undefined {
  const options = second.providerOptions === undefined ? {} : { providerOptions: second.providerOptions };
  if (first.role === "user" && second.role === "user") {
    return { role: "user", content: joinedParts(first.content, second.content), ...options };
  }
  if (first.role === "assistant" && second.role === "assistant") {
    return { role: "assistant", content: joinedParts(first.content, second.content), ...options };
  }
  return undefined;
}

/** The texts where two messages meet are joined: servers that only accept a single text would refuse a list. */
function joinedParts<T extends { readonly type: string; readonly providerOptions?: object }>(
  first: readonly T[],
  second: readonly T[],
): T[] {
  const [end, begin] = [first.at(-1), second[0]];
  if (!isPlainText(end) || !isPlainText(begin)) return [...first, ...second];
  return [...first.slice(0, -1), { ...end, text: end.text + BETWEEN + begin.text }, ...second.slice(1)];
}

function isPlainText<T extends { readonly type: string; readonly providerOptions?: object }>(
  part: T | undefined,
): part is T & { readonly text: string } {
  return part?.type === "text" && "text" in part && part.providerOptions === undefined;
}
