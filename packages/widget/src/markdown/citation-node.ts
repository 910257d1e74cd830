import type { Literal } from "mdast";
import type { Extension } from "mdast-util-from-markdown";

/** A number in brackets that is a link to one of the answer's sources. */
export interface CitationNode extends Literal {
  readonly type: "citation";
  /** The source's number. */
  readonly value: string;
  /** What stands before the number, a space too: at it the line does not break. It is copied, and not seen. */
  readonly before: string;
  /** Neither is there while the source has not come. */
  readonly href?: string;
  readonly label?: string;
}

/** What makes a parser read citations. */
export interface CitationSyntax {
  readonly mdast: Extension;
  /** The numbers in brackets, met so far, that no source had. */
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
