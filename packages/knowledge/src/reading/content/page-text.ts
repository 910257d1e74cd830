/** A piece of a page in the order of the page, before it is cut into passages. */
export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string; readonly anchor?: string }
  /** A paragraph or an item of a list, a row of a table, or code with its lines. */
  | { readonly kind: "text" | "row" | "code"; readonly text: string; readonly anchor?: string };

/** What a document says, whatever its format. */
export interface PageText {
  readonly title: string;
  readonly language?: string;
  readonly blocks: readonly Block[];
  /** The document has text, but it consists of links alone, as an index or a menu does. */
  readonly linksAlone: boolean;
  /** The document asks robots not to index it. */
  readonly noindex: boolean;
  /** The address that the document names as its own, as written and made absolute. */
  readonly canonical?: string;
}

/** A reason for which a page cannot be read: it becomes a `PageFailure`, and the page stays as it was. */
export class UnreadablePage extends Error {
  readonly code: string;
  /** How long a busy server asks to wait. */
  readonly waitMs: number | undefined;

  constructor(code: string, reason: string, waitMs?: number) {
    super(reason);
    this.name = "UnreadablePage";
    this.code = code;
    this.waitMs = waitMs;
  }
}

/** Text as a browser shows it outside of `pre`: runs of white space are one space, soft hyphens are gone. */
export function collapse(text: string): string {
  return (
    text
      .replaceAll(/[\u00ad\u200b\ufeff]/g, "")
      // A lone space stays, and is not matched: long texts have a million.
      .replaceAll(/[^\S\n ][^\S\n]*| [^\S\n]+/g, " ")
      .replaceAll(/ ?\n[ \n]*/g, "\n")
      .trim()
  );
}

/** Whether the rules of a `robots` element or header forbid to index the page. */
export function forbidsIndexing(rules: string): boolean {
  return rules
    .toLowerCase()
    .split(/[\s,]+/)
    .some((rule) => rule === "noindex" || rule === "none");
}
