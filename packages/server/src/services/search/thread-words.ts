import { textOf } from "@nitka/protocol/message";
import { TITLE_MARK } from "../../storage/search.ts";
import type { SoughtWord, ThreadWords, UnreadThread } from "../../storage/search.ts";
import { termsOf } from "../../words/terms.ts";

/** Stands before a word as it is written, where that is not its stem. */
const WHOLE_MARK = "~";

/** The most UTF-8 bytes of a thread's words: Postgres takes 1 MB. A novel has as many; further words are not found. */
const MAX_BYTES = 800_000;

/**
 * The words of a thread: those that were stored, of its title, and of the messages that are added. Long ones are added in turns
 * of the event loop, since dividing a text takes time.
 */
export interface CollectedWords {
  readonly words: ThreadWords;
  add(message: UnreadThread["messages"][number]): void;
}

export function collectWords({ words: stored, title }: Pick<UnreadThread, "words" | "title">): CollectedWords {
  const words = new Map(stored);
  let bytes = [...stored.keys()].reduce((sum, word) => sum + bytesOf(word), 0);
  const addWord = (word: string, position: number) => {
    if (!words.has(word)) bytes += bytesOf(word);
    if (bytes <= MAX_BYTES || words.has(word)) words.set(word, Math.max(position, words.get(word) ?? 0));
  };
  for (const word of formsIn(title ?? "")) {
    addWord(word, 0);
    addWord(TITLE_MARK + word, 0);
  }
  return {
    words,
    add({ role, position, ...message }) {
      if (role === "system") return;
      for (const word of formsIn(textOf(message))) addWord(word, position);
    },
  };
}

/** What a query looks for: each of its words in any form, the last one also as the beginning of a word. */
export function soughtWords(query: string): readonly SoughtWord[] {
  const terms = termsOf(query).filter(({ isName }) => !isName);
  const last = terms.at(-1);
  return [...new Map(terms.map((term) => [term.key, term])).values()].map(({ key }) => ({
    word: key,
    beginnings: last?.key === key ? [last.word, WHOLE_MARK + last.word] : [],
  }));
}

/** The stems of a text's words, and the words where they are others. Of a name its parts alone: a query has them too. */
function formsIn(text: string): ReadonlySet<string> {
  const forms = new Set<string>();
  for (const { key, word, isName } of termsOf(text)) {
    if (isName) continue;
    forms.add(key);
    if (word !== key) forms.add(WHOLE_MARK + word);
  }
  return forms;
}

/** With what the storage puts before a word. */
function bytesOf(word: string): number {
  return Buffer.byteLength(word) + 12;
}
