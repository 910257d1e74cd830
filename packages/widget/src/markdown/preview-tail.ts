/** Shows the tail of a text as what it will probably become. */
import type { RootContent } from "mdast";
import { closeInline } from "./close-inline.ts";
import { placed } from "./parse-markdown.ts";
import type { ParseMarkdown, ParsedBlock } from "./parse-markdown.ts";

/**
 * A line of only markers, such as `- `, `12.`, `##`, `|:-`, `---`, `**`, or a line that may define a reference, such as
 * `[docs`, `[docs]: https://a.b`, `[^1]`. The next character decides what it becomes.
 */
const undecided =
  /^(?:[ \t>]|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)){0,40}(?:#{1,6}|[-+*_=~`|:[\]!<$\\]{1,80}|[|:-][ \t|:-]{0,80}|\[(?:\^[^\]\s]*\]?|[^\]^[\\]{1,40}(?:\](?::[ \t]*(?:<[^<>]*>?|\S*)(?:[ \t]+(?:["'(].*)?)?)?)?)|\d{1,9})?[ \t]*$/;

/**
 * The maximum length of a previewed tail, in UTF-16 units. A longer tail is shown as it was parsed, because the preview would
 * parse it a second time.
 */
const maxLength = 5000;

/**
 * The blocks to show for a tail: a last line of only markers is left out, a table gets its delimiter row, and inline markers
 * are closed. This changes only the view: closed blocks are made from the tail itself.
 *
 * @param source the tail
 * @param blocks the blocks that `parse` returns for it
 *
 * @example
 * // shown as if it were
 * // "text\n-"           "text\n"
 * // "a **bo"            "a **bo**"
 * // "| a | b"           "| a | b |\n|-|-|"
 */
export function previewTail(
  source: string,
  blocks: readonly ParsedBlock[],
  parse: ParseMarkdown,
): readonly ParsedBlock[] {
  if (source.length > maxLength) return blocks;
  // A formula or a comment is shown or left out once it is complete.
  const last = blocks.at(-1)?.node;
  if (last?.type === "math") return last.isClosed ? blocks : blocks.slice(0, -1);
  if (last?.type === "html" && /^<!--(?![^]*-->)/.test(last.value)) return blocks.slice(0, -1);
  const decided = withoutUndecidedLine(source);
  const decidedBlocks = decided === source ? blocks : parse(decided);
  const completed = withTableHead(decided, decidedBlocks) ?? withInlineClosed(decided, decidedBlocks);
  return completed === decided ? decidedBlocks : parse(completed);
}

function withoutUndecidedLine(source: string): string {
  const line = source.slice(Math.max(source.lastIndexOf("\n"), source.lastIndexOf("\r")) + 1);
  return line !== "" && undecided.test(line) ? source.slice(0, -line.length) : source;
}

/** Completes a last paragraph of one line that begins with `|` to a table. Returns `undefined` for every other text. */
function withTableHead(source: string, blocks: readonly ParsedBlock[]): string | undefined {
  const last = blocks.at(-1);
  if (last?.node.type !== "paragraph" || last.start.line !== last.end.line) return undefined;
  const text = source.slice(last.start.offset);
  if (!text.startsWith("|") || text.split(/\r\n|\n|\r/).length > 2) return undefined;
  const closedLine = closeInline(text.trimEnd());
  const head = /(?<!\\)\|$/.test(closedLine) ? closedLine : `${closedLine} |`;
  const columns = (head.match(/(?<!\\)\|/g)?.length ?? 0) - 1;
  if (columns < 1) return undefined;
  return `${source.slice(0, last.start.offset)}${head}\n|${"-|".repeat(columns)}`;
}

function withInlineClosed(source: string, blocks: readonly ParsedBlock[]): string {
  const last = blocks.at(-1);
  const leaf = last && openLeaf(last.node);
  // A text beyond the parser's limits has no positions.
  if (!leaf?.position) return source;
  const { start, end } = placed(leaf);
  const after = source.slice(end.offset);
  // A line ending closes a heading or cell; a blank line closes a paragraph.
  const isOpen = leaf.type === "paragraph" ? /^[ \t]*(?:(?:\r\n|\n|\r)[ \t>]*)?$/ : /^[ \t]*$/;
  if (!isOpen.test(after)) return source;
  const text = source.slice(start.offset);
  if (leaf.type === "tableCell" && /[^\\|]\|[ \t]*$/.test(text)) return source;
  return source.slice(0, start.offset) + closeInline(text);
}

/** The last paragraph, heading or cell in a block. */
function openLeaf(node: RootContent): RootContent | undefined {
  if (node.type === "paragraph" || node.type === "heading" || node.type === "tableCell") return node;
  const last = "children" in node ? node.children.at(-1) : undefined;
  return last && openLeaf(last);
}
