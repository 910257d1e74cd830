import type { Literal } from "mdast";
import type { Extension as MdastExtension } from "mdast-util-from-markdown";
import type { Extension } from "micromark-util-types";

/** A formula in TeX, with its delimiters: `$$…$$`, `\[…\]`, `\(…\)` or `$…$`. As a block it may lack the closing delimiter. */
export interface MathNode extends Literal {
  readonly type: "math";
  readonly isClosed: boolean;
}

/** The extensions that make a parser read formulas. */
export interface MathSyntax {
  readonly micromark: Extension;
  readonly mdast: MdastExtension;
}

declare module "mdast" {
  interface PhrasingContentMap {
    readonly math: MathNode;
  }
  interface RootContentMap {
    readonly math: MathNode;
  }
}

declare module "micromark-util-types" {
  interface TokenTypeMap {
    readonly math: "math";
    readonly mathData: "mathData";
  }
}
