import type { Nodes, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfmFootnote } from "micromark-extension-gfm-footnote";
import { gfmTable } from "micromark-extension-gfm-table";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import { autolinkLiteralFromMarkdown, bareAddresses } from "./autolink-literal.ts";
import type { Block } from "./block.ts";
import { cjkEmphasis } from "./cjk-emphasis.ts";
import { indentedCode } from "./indented-code.ts";
import type { MathSyntax } from "./math/math-node.ts";
import { mentionsIn, resolveReferences } from "./references.ts";

const syntax = [bareAddresses(), gfmFootnote(), gfmTable(), gfmTaskListItem(), cjkEmphasis(), indentedCode()];
const [, ...others] = gfmFromMarkdown();
const treeSyntax = [autolinkLiteralFromMarkdown(), ...others];

/** The blocks of a whole text, parsed at once by the library's parser. Tests compare a streamed text with it. */
export function wholeParse(text: string, math?: MathSyntax): readonly unknown[] {
  const { children } = fromMarkdown(text, {
    extensions: [...syntax, ...(math ? [math.micromark] : [])],
    mdastExtensions: [...treeSyntax, ...(math ? [math.mdast] : [])],
  });
  const { definitions } = mentionsIn(children);
  const root: Nodes = { type: "root", children };
  resolveReferences([root], (label) => definitions.find(({ identifier }) => identifier === label));
  return root.children.map(plainNode);
}

/** A block of a streamed text in the form of `wholeParse`. */
export function plainBlock(block: Block): unknown {
  switch (block.type) {
    case "code":
      return { type: "code", language: block.language, code: block.pieces.join("") };
    case "list":
      return { ...block, items: block.items.flat() };
    case "table":
      return { type: "table", align: block.align, rows: [block.head, ...block.rows.flat()] };
    default:
      return block.node;
  }
}

function plainNode(node: RootContent): unknown {
  if (node.type === "code") return { type: "code", language: node.lang ?? undefined, code: node.value };
  if (node.type === "table") return { type: "table", align: node.align, rows: node.children };
  if (node.type !== "list") return node;
  const loose = node.spread === true || node.children.some((item) => item.spread === true);
  return { type: "list", ordered: node.ordered, start: node.start ?? undefined, loose, items: node.children };
}
