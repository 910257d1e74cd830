import type { Extension, Tokenizer } from "micromark-util-types";

/** Answers whether a label (lower case, white space collapsed) has a definition somewhere else in the answer. */
export interface KnownLabels {
  readonly isLinkDefined: (label: string) => boolean;
  readonly isFootnoteDefined: (label: string) => boolean;
}

/**
 * Micromark takes `[a][b]` for a link, and `[^b]` for a footnote, only where `b` is defined in the same text. An answer is
 * parsed block by block, so the parser's two lists of definitions are exchanged for lists that also ask the answer.
 */
export function knownLabels(known: KnownLabels): Extension {
  const tokenize: Tokenizer = function exchange(_effects, _ok, nok) {
    const { parser } = this;
    if (!(parser.defined instanceof Labels)) parser.defined = new Labels(parser.defined, known.isLinkDefined);
    if (!(parser.gfmFootnotes instanceof Labels)) {
      parser.gfmFootnotes = new Labels(parser.gfmFootnotes ?? [], known.isFootnoteDefined);
    }
    return nok;
  };
  // A construct of the document that matches nothing: it is tried on the first line, before any text is looked at.
  return { document: { null: { name: "knownLabels", tokenize } } };
}

class Labels extends Array<string> {
  readonly #isKnown: (label: string) => boolean;

  constructor(labels: readonly string[], isKnown: (label: string) => boolean) {
    super();
    this.push(...labels);
    this.#isKnown = isKnown;
  }

  override includes(label: string): boolean {
    return super.includes(label) || this.#isKnown(label.toLowerCase());
  }
}
