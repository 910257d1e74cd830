/** How the end of an answer that is still being written is shown: as what it is most likely to become. */
import type { RootContent } from "mdast";
import { calmInline } from "./calm-inline.ts";
import { placed } from "./parse-markdown.ts";
import type { ParseMarkdown, ParsedBlock } from "./parse-markdown.ts";

/** A line of nothing but markers: the next character decides what it is. `- `, `12.`, `##`, `- [`, `---`, `**`. */
const undecided =
  /^(?:[ \t>]|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)){0,40}(?:#{1,6}|[-+*_=~`|:[\]!<]{1,80}|\[[ xX]\]?|\d{1,9})?[ \t]*$/;

/** A longer text is not parsed a second time for its looks. */
const longest = 10_000;

/**
 * The blocks to show for an open text: half-typed markers are left out, an open table has its second line, and what is
 * open within a line is closed. The finished answer does not depend on it.
 */
export function calmTail(source: string, blocks: readonly ParsedBlock[], parse: ParseMarkdown): readonly ParsedBlock[] {
  if (source.length > longest) return blocks;
  const decided = withoutUndecidedLine(source);
  const decidedBlocks = decided === source ? blocks : parse(decided);
  const calm = withTableHead(decided, decidedBlocks) ?? withInlineClosed(decided, decidedBlocks);
  return calm === decided ? decidedBlocks : parse(calm);
}

function withoutUndecidedLine(source: string): string {
  const line = source.slice(Math.max(source.lastIndexOf("\n"), source.lastIndexOf("\r")) + 1);
  return line !== "" && undecided.test(line) ? source.slice(0, -line.length) : source;
}

/** A first line that begins with a bar is shown as the head of a table before the line of dashes has come. */
function withTableHead(source: string, blocks: readonly ParsedBlock[]): string | undefined {
  const last = blocks.at(-1);
  if (last?.node.type !== "paragraph" || last.start.line !== last.end.line) return undefined;
  const line = source.slice(last.start.offset).trimEnd();
  if (!line.startsWith("|") || source.slice(last.start.offset).split(/\r\n|\n|\r/).length > 2) return undefined;
  const calm = calmInline(line);
  const head = /(?<!\\)\|$/.test(calm) ? calm : `${calm} |`;
  const columns = (head.match(/(?<!\\)\|/g)?.length ?? 0) - 1;
  if (columns < 1) return undefined;
  return `${source.slice(0, last.start.offset)}${head}\n|${"-|".repeat(columns)}`;
}

function withInlineClosed(source: string, blocks: readonly ParsedBlock[]): string {
  const last = blocks.at(-1);
  const leaf = last && openLeaf(last.node);
  // What goes beyond the parser's limits has no place: it is shown as it stands.
  if (!leaf?.position) return source;
  const { start, end } = placed(leaf);
  const after = source.slice(end.offset);
  // A line ending closes a heading or cell, a blank line a paragraph.
  const isOpen = leaf.type === "paragraph" ? /^[ \t]*(?:(?:\r\n|\n|\r)[ \t>]*)?$/ : /^[ \t]*$/;
  if (!isOpen.test(after)) return source;
  const text = source.slice(start.offset);
  if (leaf.type === "tableCell" && /[^\\|]\|[ \t]*$/.test(text)) return source;
  return source.slice(0, start.offset) + calmInline(text);
}

/** The paragraph, heading or cell that the text ends with. */
function openLeaf(node: RootContent): RootContent | undefined {
  if (node.type === "paragraph" || node.type === "heading" || node.type === "tableCell") return node;
  const last = "children" in node ? node.children.at(-1) : undefined;
  return last && openLeaf(last);
}
