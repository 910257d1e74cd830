/**
 * The tail: the end of a streamed text that later text can still change. This file moves its beginning to the closed blocks as
 * soon as it cannot change any more.
 *
 * The parser finds blocks. The entries of a block are the items of a list or the rows of a table, whose head is the first row.
 * A piece is a closed block or entry, with a source from which it can be parsed again.
 *
 * @example
 * // text                              closed             tail
 * // "# A\n\nSome"                     –                  "# A\n\nSome"
 * // "# A\n\nSome\n"                   heading            "Some\n"
 * // "- a\n- b\n- c\n"                 items a, b         "- c\n", which continues the list
 * // "| a |\n|-|\n| 1 |\n| 2"          head, row 1        "| 2", which continues the table
 * // "```js\ncall();\n"                –                  an open fence
 */
import type { List, Parent, Table } from "mdast";
import { emptyList, emptyTable } from "./block.ts";
import type { ClosedBlocks, ClosedPiece } from "./closed-blocks.ts";
import { openFence } from "./open-fence.ts";
import type { OpenFence } from "./open-fence.ts";
import { nextLineStart, placed } from "./parse-markdown.ts";
import type { ParsedBlock } from "./parse-markdown.ts";

/**
 * A tail that has to be parsed. A `list` or `table` continues the last closed block. `head` is the first two lines of that
 * table.
 */
export type TextTail =
  | { readonly type: "text" | "list"; readonly source: string }
  | { readonly type: "table"; readonly source: string; readonly head: string };

export type Tail = TextTail | { readonly type: "fence"; readonly fence: OpenFence };

/** A text and its blocks. */
export interface ParsedText {
  readonly source: string;
  readonly blocks: readonly ParsedBlock[];
  /** The labels of references in the text that have no definition in the answer yet. */
  readonly undefinedLabels: ReadonlySet<string>;
}

export const emptyTail: TextTail = { type: "text", source: "" };

/** The text to parse for a tail. The rows of a table are parsed below its head. */
export function sourceOf(tail: TextTail): string {
  return tail.type === "table" ? tail.head + tail.source : tail.source;
}

/**
 * Moves the closed part at the beginning of the tail to the closed blocks: whole blocks, or items of a list or rows of a table
 * that may continue. See the top of this file for examples.
 *
 * @returns the remaining tail, and the text that still has to be fed to it; `undefined` if nothing was closed
 */
export function closeNext(
  tail: TextTail,
  parsed: ParsedText,
  closed: ClosedBlocks,
): { readonly tail: Tail; readonly rest: string } | undefined {
  const { source, blocks } = parsed;
  const open = firstOpenBlock(blocks, source);
  const block = blocks[open];
  if (!block) return undefined;
  const start = lineStart(source, block.start.offset);
  if (open > 0) {
    closeTail(tail, { ...parsed, blocks: blocks.slice(0, open), source: source.slice(0, start) }, closed);
    return { tail: { type: "text", source: source.slice(start) }, rest: "" };
  }
  if (blocks.length > 1) return undefined;
  if (block.node.type === "list") return closeItems(tail, block.node, parsed, closed);
  if (block.node.type === "table") return closeRows(tail, block.node, parsed, closed);
  const code = block.node.type === "code" ? openFence(source.slice(start), block.node.lang ?? undefined) : undefined;
  return code && { tail: { type: "fence", fence: code.fence }, rest: code.rest };
}

/** Moves the whole tail to the closed blocks. Its first block may continue the last closed list or table. */
export function closeTail(tail: TextTail, parsed: ParsedText, closed: ClosedBlocks): void {
  const { source, blocks, undefinedLabels } = parsed;
  const [first] = blocks;
  const continues = first !== undefined && first.node.type === tail.type;
  const sourceOfFirst = source.slice(0, blocks[1] && lineStart(source, blocks[1].start.offset));
  if (continues && first.node.type === "list") {
    setLoose(first.node, first.node.children.length, closed);
    closed.addEntries(piecesOf(childrenOf(first.node), sourceOfFirst), undefinedLabels);
  }
  if (continues && first.node.type === "table") {
    closed.addEntries(rowPiecesOf(first.node, sourceOfFirst, tail.type === "table" ? tail.head : ""), undefinedLabels);
  }
  closed.addBlocks(piecesOf(blocks, source).slice(continues ? 1 : 0), undefinedLabels);
}

function closeItems(tail: TextTail, list: List, { source, undefinedLabels }: ParsedText, closed: ClosedBlocks) {
  const items = childrenOf(list);
  const open = firstOpenBlock(items, source);
  const first = items[open];
  if (!first || open === 0) return undefined;
  if (tail.type !== "list") closed.addPlain(emptyList(list));
  setLoose(list, open, closed);
  closed.addEntries(piecesOf(items, source).slice(0, open), undefinedLabels);
  return { tail: { type: "list", source: source.slice(lineStart(source, first.start.offset)) }, rest: "" } as const;
}

/** Closes every row but the last. The head closes together with the first row. */
function closeRows(tail: TextTail, table: Table, { source, undefinedLabels }: ParsedText, closed: ClosedBlocks) {
  if (table.children.length < 3) return undefined;
  const head = tail.type === "table" ? tail.head : headLines(table, source);
  const pieces = rowPiecesOf(table, source, head);
  const [headRow] = table.children;
  if (tail.type !== "table" && headRow) {
    closed.addPlain(emptyTable(table));
    closed.addEntries([{ node: headRow, source: head, at: 0 }], undefinedLabels);
  }
  closed.addEntries(pieces.slice(0, -1), undefinedLabels);
  const last = pieces.at(-1)?.source.slice(head.length) ?? "";
  return { tail: { type: "table", head, source: last }, rest: "" } as const;
}

/** The first two lines of a table: its head and the delimiter row. */
function headLines(table: Table, source: string): string {
  const start = lineStart(source, placed(table).start.offset);
  const second = nextLineStart(source, start) ?? source.length;
  return source.slice(start, nextLineStart(source, second));
}

/**
 * For each block, or each item of a list, a source that parses to the same block. If the block depends on earlier ones, the
 * source starts with those. `at` is the block's index among the blocks of that source.
 *
 * @example
 * // "a\n\nb\n": each paragraph alone
 * [{ source: "a\n\n", at: 0 }, { source: "b\n", at: 0 }]
 *
 * @example
 * // "a\n<div>\n": the tag stands right after text, so both lines are parsed together
 * [{ source: "a\n", at: 0 }, { source: "a\n<div>\n", at: 1 }]
 */
function piecesOf(blocks: readonly ParsedBlock[], source: string): readonly ClosedPiece[] {
  const starts = blocks.map(({ start }) => lineStart(source, start.offset));
  let from = 0;
  return blocks.map((block, index) => {
    const before = blocks[index - 1];
    if (!before || isApart(block, before) || standsAlone(block, source)) from = index;
    return { node: block.node, source: source.slice(starts[from], starts[index + 1]), at: index - from };
  });
}

/** Each row below the head, with the head before it. Parsing that text gives a table whose second child is the row. */
function rowPiecesOf(table: Table, source: string, head: string): readonly ClosedPiece[] {
  const starts = childrenOf(table).map(({ start }) => lineStart(source, start.offset));
  return table.children
    .map((node, index) => ({ node, source: head + source.slice(starts[index], starts[index + 1]), at: 1 }))
    .slice(1);
}

function childrenOf({ children }: Parent): readonly ParsedBlock[] {
  return children.map(placed);
}

/** Marks the last closed list as loose if there is a blank line inside one of the first `count` items or after one of them. */
function setLoose(list: List, count: number, closed: ClosedBlocks): void {
  const loose = list.children.slice(0, count).some((item, index) => {
    const next = list.children[index + 1];
    return item.spread === true || (next !== undefined && placed(next).start.line - placed(item).end.line > 1);
  });
  if (loose) closed.replaceLast((block) => (block.type === "list" ? { ...block, loose } : block));
}

/**
 * The index of the first block that later text can still change. A block closes all blocks before it once its first line is
 * complete and either a blank line precedes it or it can start right after any line. An incomplete line may still continue the
 * block before it.
 *
 * @example
 * // "a\n\nb"     0: the line "b" is incomplete
 * // "a\n\nb\n"   1: the paragraph "a" is closed
 * // "a\n- b\n"   1: a list item ends a paragraph
 * // "a\n<br>\n"  0: right after text a single tag is more text
 */
function firstOpenBlock(blocks: readonly ParsedBlock[], source: string): number {
  for (let open = blocks.length - 1; open > 0; open -= 1) {
    const block = blocks[open];
    const before = blocks[open - 1];
    if (!block || !before || !hasBegun(block, source)) continue;
    if (isApart(block, before) || (standsAlone(block, source) && !mayBeTitle(block, before, source))) return open;
  }
  return 0;
}

/**
 * Whether the first line of a block is complete. A table also needs its second line, because its first line alone is a
 * paragraph.
 */
function hasBegun(block: ParsedBlock, source: string): boolean {
  const second = nextLineStart(source, block.start.offset);
  return second !== undefined && (block.node.type !== "table" || nextLineStart(source, second) !== undefined);
}

/** Whether a blank line before a block ends the previous block. Indented code continues after blank lines. */
function isApart(block: ParsedBlock, before: ParsedBlock): boolean {
  return block.start.line > before.end.line + 1 && before.node.type !== "code";
}

/** Whether a block may become the title of the definition before it: it begins with a quote or a parenthesis. */
function mayBeTitle(block: ParsedBlock, before: ParsedBlock, source: string): boolean {
  return before.node.type === "definition" && `"'(`.includes(source.charAt(block.start.offset));
}

/**
 * Whether a block right after another one, without a blank line, is the same block when it is parsed alone.
 *
 * Four lines continue a paragraph when they follow it directly, but are blocks when they are parsed alone: an empty list item, an
 * item whose number is not 1, a single tag, and an indented line (CommonMark 0.31, sections 4.4, 4.6, 5.2). The parser
 * applies these rules to the nested containers of a line too. The first line decides: it stands alone if it is not indented
 * like a code block, if each list marker after its own may interrupt a paragraph, and if its text does not begin with `<`.
 * An item of a list without that indentation always stands alone, because it ends the paragraph before it.
 *
 * @example
 * // "- a", "> a", "# a", "| a |", "> - a"   true
 * // "- 2) a", "> 2) a", "> -"                false: what the second marker begins is text after a text
 * // "<br>", "> <br>", "    a"                false
 */
function standsAlone({ node, start }: ParsedBlock, source: string): boolean {
  const line = source.slice(lineStart(source, start.offset), nextLineStart(source, start.offset));
  if (/^(?: {4}| {0,3}\t)/.test(line)) return false;
  if (node.type === "listItem") return true;
  const [prefix = ""] = /^(?:[ \t>]|\[\^[^\]\s]+\]:|(?:[-*+]|\d{1,9}[.)])(?=\s))*/.exec(line) ?? [];
  const markers = (prefix.match(/[-*+]|\d+[.)]/g) ?? []).slice(node.type === "list" ? 1 : 0);
  const content = line.slice(prefix.length).trim();
  return markers.every((marker) => content && /^(?:\D|1.)$/.test(marker)) && !content.startsWith("<");
}

/** The start of the line that contains the character at `offset`. */
function lineStart(source: string, offset: number): number {
  let start = offset;
  while (start > 0 && source[start - 1] !== "\n" && source[start - 1] !== "\r") start -= 1;
  return start;
}
