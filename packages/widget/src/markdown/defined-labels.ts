import type { ParseContext } from "micromark-util-types";

/**
 * Whether a label is defined. What the parsed text itself defines does not count.
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
export function withDefinedLabels(labels: DefinedLabels): (parser: ParseContext) => void {
  return (parser) => {
    parser.defined = listOf(labels.isLinkDefined);
    parser.gfmFootnotes = listOf(labels.isFootnoteDefined);
  };
}

function listOf(isDefined: (label: string) => boolean): string[] {
  return Object.assign([], { includes: (label: string) => isDefined(label.toLowerCase()) });
}
