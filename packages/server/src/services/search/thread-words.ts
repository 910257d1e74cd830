import { textOf } from "@nitka/protocol/message";
import { TITLE_MARK } from "../../storage/search.ts";
import type { SoughtWord, ThreadWords, UnreadThread } from "../../storage/search.ts";
import { termsOf } from "../../words/terms.ts";

/** The prefix of a stored word that differs from its stem. */
const WHOLE_MARK = "~";

/**
 * The most UTF-8 bytes of a thread's words: Postgres accepts 1 MB. A novel has this many; words beyond it are not
 * found.
 */
const MAX_BYTES = 800_000;

/**
 * The words of a thread: the stored words, those of the title, and those of the added messages. Long messages are added
 * in turns of the event loop, because splitting a text takes time.
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

/** The words that a query looks for: each word in any form, and the last word also as a prefix. */
export function soughtWords(query: string): readonly SoughtWord[] {
  const terms = termsOf(query).filter(({ isName }) => !isName);
  const last = terms.at(-1);
  return [...new Map(terms.map((term) => [term.key, term])).values()].map(({ key }) => ({
    word: key,
    beginnings: last?.key === key ? [last.word, WHOLE_MARK + last.word] : [],
  }));
}

/**
 * The stems of a text's words, and the words that differ from their stems. Of a name only the parts are kept, since a
 * query is split in the same way.
 */
function formsIn(text: string): ReadonlySet<string> {
  const forms = new Set<string>();
  for (const { key, word, isName } of termsOf(text)) {
    if (isName) continue;
    forms.add(key);
    if (word !== key) forms.add(WHOLE_MARK + word);
  }
  return forms;
}

/** The size of a word, including the storage's prefix. */
function bytesOf(word: string): number {
  return Buffer.byteLength(word) + 12;
}
