/**
 * Splits a growing answer into complete sentences, for a screen reader and for reading aloud. Markdown's marks are removed, and
 * fenced code is left out.
 *
 * @example
 * const sentences = createSentences();
 * sentences.push("The sky is **cle") // []
 * sentences.push("ar**. Take a ") // ["The sky is clear."]
 * sentences.flush() // ["Take a"]
 */
export interface Sentences {
  /** Adds text and returns the sentences that it completes. */
  readonly push: (text: string) => readonly string[];
  /** Ends the text and returns the rest as the last sentence, or nothing. */
  readonly flush: () => readonly string[];
}

/**
 * A sentence ends with a mark and a space, or at the end of its line. Without the space the dot in «17.5» would end one. A dot
 * after a single letter (`т. е.`) or after the number of an item does not end one.
 */
const SENTENCE_END = /(?<!(?<!\p{L})\p{L}|^\s*\d+)[.!?…]+[)»"”]*\s+|\n+/u;

/** The words that replace content that cannot be read aloud. */
export interface NamedMarks {
  readonly code: string;
  readonly formula: string;
}

/** @param names given for reading aloud: code and formulas are then named, and only the site of an address is read */
export function createSentences(names?: NamedMarks): Sentences {
  let rest = "";
  let inCode = false;
  let inFormula = false;

  const toSpeech = (raw: string): readonly string[] => {
    if (/^\s*(```|~~~)/.test(raw)) {
      inCode = !inCode;
      return inCode && names ? [names.code] : [];
    }
    if (inCode) return [];
    if (names) {
      // A formula over several lines, which arrive one by one.
      const edges = raw.split(/\$\$|\\[[\]]/).length - 1;
      const wasFormula = inFormula;
      if (edges % 2 === 1) inFormula = !inFormula;
      if (wasFormula) return [];
      if (inFormula) return [names.formula];
    }
    const text = stripMarkdown(raw, names);
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

/**
 * @example
 * stripMarkdown("- [x] see [the **docs**](https://a.example)") // "see the docs"
 * stripMarkdown("5*3 in snake_case, ~5[^1]") // "5*3 in snake_case, ~5"
 */
function stripMarkdown(markdown: string, names: NamedMarks | undefined): string {
  return (
    (names ? markdown.replaceAll(formula, names.formula) : markdown)
      .replace(/^\s*\[[^\]^][^\]]*\]:.*/, "")
      .replaceAll(/\[\^[^\]\s]+\]:?|<!--[^]*?-->|<\/?(?:su[bp]|kbd|mark|u)>|`/g, "")
      .replaceAll(/<br ?\/?>/gi, " ")
      .replaceAll(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
      .replace(/^(?:\s*(?:#{1,6}\s|>|[-*+]\s+(?:\[[ x]\]\s)?|\|))+/i, "")
      .replaceAll(formula, (source) => source.replaceAll(/^(?:\$+|\\.)|(?:\$+|\\.)$/g, "").replaceAll(/[\\{}]+/g, " "))
      // A marker is at the beginning or the end of a word. Inside a word it is an ordinary character: `5*3`, `snake_case`.
      .replaceAll(/(?<![\p{L}\p{N}\\*_~])(?:[*_]+|~~)(?=[^\s*_~])|(?<=[^\s\\*_~])(?:[*_]+|~~)(?![\p{L}\p{N}*_~])/gu, "")
      .replaceAll(/\\(?=[!-/:-@[-`{-~])/g, "")
      .replaceAll(/<?https?:\/\/(?:www\.)?([^\s/?#>]+)[^\s>)]*>?/gi, names ? "$1" : "$&")
      .replaceAll(/[|\s]+/g, " ")
      .trim()
  );
}

const formula = /\$\$[^]+?\$\$|\\\[[^]+?\\\]|\\\([^]+?\\\)|\$(?!\s)[^$]+?(?<!\s)\$(?![\w$])/g;
