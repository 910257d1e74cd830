/** The part of an answer that later text can still change, and how what is closed leaves it. */
import type { List, Parent, Table } from "mdast";
import { emptyList, emptyTable } from "./block.ts";
import type { FinishedBlocks, Piece } from "./finished-blocks.ts";
import { openFence } from "./open-fence.ts";
import type { OpenFence } from "./open-fence.ts";
import { placed } from "./parse-markdown.ts";
import type { ParsedBlock } from "./parse-markdown.ts";

/** The open text. As `list` and `table` it continues the last of the finished blocks; `head` is the table's first two lines. */
export type TextTail =
  | { readonly type: "text" | "list"; readonly source: string }
  | { readonly type: "table"; readonly source: string; readonly head: string };

export type Tail = TextTail | { readonly type: "fence"; readonly fence: OpenFence };

/** A text, its blocks, and the labels without a definition that the parser came upon. */
export interface Parsed {
  readonly source: string;
  readonly blocks: readonly ParsedBlock[];
  readonly asked: ReadonlySet<string>;
}

export const emptyTail: TextTail = { type: "text", source: "" };

/** The text to parse: rows of a table make sense only under its head. */
export function sourceOf(tail: TextTail): string {
  return tail.type === "table" ? tail.head + tail.source : tail.source;
}

/**
 * Moves what is closed at the beginning of the tail to the finished blocks: whole blocks, or items of a list and rows of a
 * table that goes on.
 *
 * @returns the tail that remains and text to be written to it; `undefined` when nothing was closed
 */
export function closeNext(
  tail: TextTail,
  parsed: Parsed,
  finished: FinishedBlocks,
): { readonly tail: Tail; readonly rest: string } | undefined {
  const { source, blocks } = parsed;
  const open = firstOpenBlock(blocks, source);
  const block = blocks[open];
  if (!block) return undefined;
  const start = lineStart(source, block.start.offset);
  if (open > 0) {
    finishBlocks(tail, { ...parsed, blocks: blocks.slice(0, open), source: source.slice(0, start) }, finished);
    return { tail: { type: "text", source: source.slice(start) }, rest: "" };
  }
  if (blocks.length > 1) return undefined;
  if (block.node.type === "list") return closeItems(tail, block.node, parsed, finished);
  if (block.node.type === "table") return closeRows(tail, block.node, parsed, finished);
  const code = block.node.type === "code" ? openFence(source.slice(start), block.node.lang ?? undefined) : undefined;
  return code && { tail: { type: "fence", fence: code.fence }, rest: code.rest };
}

/** Moves all of the tail to the finished blocks. */
export function finishBlocks(tail: TextTail, parsed: Parsed, finished: FinishedBlocks): void {
  const { source, blocks, asked } = parsed;
  const [first] = blocks;
  const continues = first !== undefined && first.node.type === tail.type;
  const ofFirst = source.slice(0, blocks[1] && lineStart(source, blocks[1].start.offset));
  if (continues && first.node.type === "list") {
    setLoose(first.node, first.node.children.length, finished);
    finished.addParts(piecesOf(childrenOf(first.node), ofFirst), asked);
  }
  if (continues && first.node.type === "table") {
    finished.addParts(rowPiecesOf(first.node, ofFirst, tail.type === "table" ? tail.head : ""), asked);
  }
  finished.addBlocks(piecesOf(blocks, source).slice(continues ? 1 : 0), asked);
}

function closeItems(tail: TextTail, list: List, { source, asked }: Parsed, finished: FinishedBlocks) {
  const items = childrenOf(list);
  const open = firstOpenBlock(items, source);
  const first = items[open];
  if (!first || open === 0) return undefined;
  if (tail.type !== "list") finished.addPlain(emptyList(list));
  setLoose(list, open, finished);
  finished.addParts(piecesOf(items, source).slice(0, open), asked);
  return { tail: { type: "list", source: source.slice(lineStart(source, first.start.offset)) }, rest: "" } as const;
}

function closeRows(tail: TextTail, table: Table, { source, asked }: Parsed, finished: FinishedBlocks) {
  if (table.children.length < 3) return undefined;
  const head = tail.type === "table" ? tail.head : headLines(table, source);
  const pieces = rowPiecesOf(table, source, head);
  const [headRow] = table.children;
  if (tail.type !== "table" && headRow) {
    finished.addPlain(emptyTable(table));
    finished.addParts([{ node: headRow, source: head, at: 0 }], asked);
  }
  finished.addParts(pieces.slice(0, -1), asked);
  const last = pieces.at(-1)?.source.slice(head.length) ?? "";
  return { tail: { type: "table", head, source: last }, rest: "" } as const;
}

/** The lines of a table that its rows are parsed with. */
function headLines(table: Table, source: string): string {
  const start = lineStart(source, placed(table).start.offset);
  const second = nextLineStart(source, start) ?? source.length;
  return source.slice(start, nextLineStart(source, second));
}

/** Each block, or item of a list, with a text that gives it when it is parsed alone. */
function piecesOf(blocks: readonly ParsedBlock[], source: string): readonly Piece[] {
  const starts = blocks.map(({ start }) => lineStart(source, start.offset));
  let from = 0;
  return blocks.map((block, index) => {
    const before = blocks[index - 1];
    if (!before || isApart(block, before) || standsAlone(block, source)) from = index;
    return { node: block.node, source: source.slice(starts[from], starts[index + 1]), at: index - from };
  });
}

function rowPiecesOf(table: Table, source: string, head: string): readonly Piece[] {
  const starts = childrenOf(table).map(({ start }) => lineStart(source, start.offset));
  return table.children
    .map((node, index) => ({ node, source: head + source.slice(starts[index], starts[index + 1]), at: 1 }))
    .slice(1);
}

function childrenOf({ children }: Parent): readonly ParsedBlock[] {
  return children.map(placed);
}

/** A blank line between the first `count` items and what follows each, or inside one, sets the list's items apart. */
function setLoose(list: List, count: number, finished: FinishedBlocks): void {
  const loose = list.children.slice(0, count).some((item, index) => {
    const next = list.children[index + 1];
    return item.spread === true || (next !== undefined && placed(next).start.line - placed(item).end.line > 1);
  });
  if (loose) finished.replaceLast((block) => (block.type === "list" ? { ...block, loose } : block));
}

/**
 * The first block that later text can still change. A block is closed for good once a later one has begun on a complete
 * line: an unfinished line may yet turn out to continue the block before it.
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

/** Whether a block can no longer turn out to be a part of the one before it. */
function hasBegun(block: ParsedBlock, source: string): boolean {
  const second = nextLineStart(source, block.start.offset);
  if (second === undefined || block.node.type !== "table") return second !== undefined;
  // A table begins with its second line: until that is complete, the first may be one more line of a paragraph.
  return nextLineStart(source, second) !== undefined;
}

/** Whether a blank line ends what stands before; indented code goes on through it. */
function isApart(block: ParsedBlock, before: ParsedBlock): boolean {
  return block.start.line > before.end.line + 1 && before.node.type !== "code";
}

/** A definition takes the next line as its title, once the title's closing quote has come. */
function mayBeTitle(block: ParsedBlock, before: ParsedBlock, source: string): boolean {
  return before.node.type === "definition" && `"'(`.includes(source.charAt(block.start.offset));
}

/**
 * Whether a block that follows on the line before it gives the same when it is parsed alone. Right after text, an empty
 * item, one with a number other than 1, a single tag and an indented line are nothing but text.
 */
function standsAlone({ node, start }: ParsedBlock, source: string): boolean {
  const line = source.slice(lineStart(source, start.offset), nextLineStart(source, start.offset));
  const [prefix = ""] = /^(?:[ \t>]|\[\^[^\]\s]+\]:|(?:[-*+]|\d{1,9}[.)])(?=\s))*/.exec(line) ?? [];
  const markers = prefix.match(/[-*+]|\d[.)]/g)?.length ?? 0;
  const isList = node.type === "list" || node.type === "listItem";
  const isIndented = /^(?: {4}| {0,3}\t)/.test(line);
  return markers <= (isList ? 1 : 0) && line.charAt(prefix.length) !== "<" && !isIndented;
}

/** The beginning of the line that holds `offset`. */
function lineStart(source: string, offset: number): number {
  let start = offset;
  while (start > 0 && source[start - 1] !== "\n" && source[start - 1] !== "\r") start -= 1;
  return start;
}

/** The beginning of the next line; `undefined` while this one is not complete. */
function nextLineStart(source: string, offset: number): number | undefined {
  const eol = /\r\n|\n|\r/g;
  eol.lastIndex = offset;
  return eol.test(source) ? eol.lastIndex : undefined;
}
