/**
 * Cuts a growing answer into whole sentences for a screen reader. The marks of markdown are removed, fenced code is left
 * out.
 *
 * @example
 * const sentences = createSentences();
 * sentences.push("The sky is **cle") // []
 * sentences.push("ar**. Take a ") // ["The sky is clear."]
 * sentences.flush() // ["Take a"]
 */
export interface Sentences {
  /** Takes more text; returns the sentences that it completes. */
  readonly push: (text: string) => readonly string[];
  /** Ends the text; returns what is left as the last sentence, or nothing. */
  readonly flush: () => readonly string[];
}

/** A sentence ends with a mark and a space, or with its line. Without the space the dot of «17.5» would end one. */
const SENTENCE_END = /[.!?…]+[)»"”]*\s+|\n+/;

export function createSentences(): Sentences {
  let rest = "";
  let inCode = false;

  const toSpeech = (raw: string): readonly string[] => {
    if (/^\s*(```|~~~)/.test(raw)) {
      inCode = !inCode;
      return [];
    }
    const text = inCode ? "" : stripMarkdown(raw);
    return /[\p{L}\p{N}]/u.test(text) ? [text] : [];
  };
  return {
    push(text) {
      rest += text;
      const sentences: string[] = [];
      for (let end = SENTENCE_END.exec(rest); end; end = SENTENCE_END.exec(rest)) {
        const next = end.index + end[0].length;
        sentences.push(...toSpeech(rest.slice(0, next)));
        rest = rest.slice(next);
      }
      return sentences;
    },
    flush() {
      const last = rest;
      rest = "";
      return toSpeech(last);
    },
  };
}

/** @example stripMarkdown("- [x] see [the **docs**](https://a.example)") // "see the docs" */
function stripMarkdown(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^\s*(#{1,6}\s+|>\s*|[-*+]\s+(\[[ x]\]\s+)?|\|)/i, "")
    .replace(/[*_~`]+/g, "")
    .replace(/\|/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
