import type { Literal } from "mdast";
import type { Extension } from "mdast-util-from-markdown";

/** A number in brackets that is a link to one of the answer's sources. */
export interface CitationNode extends Literal {
  readonly type: "citation";
  /** The source's number. */
  readonly value: string;
  /** The text before the number, which may be a space and at which the line does not break. It is copied but not visible. */
  readonly before: string;
  /** `href` and the title are absent until the source has arrived. */
  readonly href?: string;
  readonly label?: string;
}

/** The extensions that make a parser read citations. */
export interface CitationSyntax {
  readonly mdast: Extension;
  /** The numbers in brackets, so far, without a source. */
  readonly missing: ReadonlySet<number>;
}

declare module "mdast" {
  interface PhrasingContentMap {
    readonly citation: CitationNode;
  }
  interface RootContentMap {
    readonly citation: CitationNode;
  }
}
