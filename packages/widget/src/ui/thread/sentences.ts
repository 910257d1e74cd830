/**
 * Cuts a growing answer into whole sentences that can be spoken: the marks of markdown fall away, and code is left out.
 */
export interface Sentences {
  /** More text; returns the sentences that it completes. */
  readonly push: (text: string) => readonly string[];
  /** The end; returns what is left. */
  readonly flush: () => readonly string[];
}

/** A sentence ends with its mark and a space after it, or with its line. */
const END = /[.!?…]+[)»"”]*\s+|\n+/;

export function createSentences(): Sentences {
  let rest = "";
  let inCode = false;

  const spoken = (raw: string): readonly string[] => {
    if (/^\s*(```|~~~)/.test(raw)) {
      inCode = !inCode;
      return [];
    }
    const text = inCode ? "" : plain(raw);
    return /[\p{L}\p{N}]/u.test(text) ? [text] : [];
  };
  return {
    push(text) {
      rest += text;
      const sentences: string[] = [];
      for (let end = END.exec(rest); end; end = END.exec(rest)) {
        const next = end.index + end[0].length;
        sentences.push(...spoken(rest.slice(0, next)));
        rest = rest.slice(next);
      }
      return sentences;
    },
    flush() {
      const last = rest;
      rest = "";
      return spoken(last);
    },
  };
}

function plain(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^\s*(#{1,6}\s+|>\s*|[-*+]\s+(\[[ x]\]\s+)?|\|)/i, "")
    .replace(/[*_~`]+/g, "")
    .replace(/\|/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
