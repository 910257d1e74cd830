import type { Extension, Tokenizer } from "micromark-util-types";

/**
 * Whether a label is defined outside of the text that is parsed.
 *
 * @param label in lower case, with single spaces
 */
export interface DefinedLabels {
  readonly isLinkDefined: (label: string) => boolean;
  readonly isFootnoteDefined: (label: string) => boolean;
}

/**
 * Lets references be defined in another text. micromark reads `[a][b]` as a link, and `[^b]` as a footnote, only if `b` is
 * in its lists of definitions, which hold those of the same text. An answer is parsed block by block, so the lists are
 * replaced by lists that also ask `labels`.
 */
export function definedLabels(labels: DefinedLabels): Extension {
  const tokenize: Tokenizer = function replaceLists(_effects, _ok, nok) {
    const { parser } = this;
    if (!(parser.defined instanceof LabelList)) parser.defined = new LabelList(parser.defined, labels.isLinkDefined);
    if (!(parser.gfmFootnotes instanceof LabelList)) {
      parser.gfmFootnotes = new LabelList(parser.gfmFootnotes ?? [], labels.isFootnoteDefined);
    }
    return nok;
  };
  // A document construct that never matches. It is tried on the first line, before any inline text is parsed.
  return { document: { null: { tokenize } } };
}

class LabelList extends Array<string> {
  readonly #isDefined: (label: string) => boolean;

  constructor(labels: readonly string[], isDefined: (label: string) => boolean) {
    super();
    this.push(...labels);
    this.#isDefined = isDefined;
  }

  override includes(label: string): boolean {
    return super.includes(label) || this.#isDefined(label.toLowerCase());
  }
}
