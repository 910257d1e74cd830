import type { AlignType, List, ListItem, RootContent, Table, TableRow } from "mdast";
import type { Chunks } from "./chunks.ts";
import { countOf, withItem, withItems, withReplaced } from "./chunks.ts";

/**
 * A block of an answer as it is shown. What grows long (code, lists, tables) is held in pieces, so that a long one costs
 * no more per frame than a short one.
 */
export type Block = CodeBlock | ListBlock | TableBlock | PlainBlock;

export interface CodeBlock {
  readonly type: "code";
  /** The word after the opening fence. */
  readonly language: string | undefined;
  /** Joined they are the code; each but the last ends with a line ending. */
  readonly pieces: readonly string[];
  /** The closing fence is there, or the answer has ended. */
  readonly closed: boolean;
}

export interface ListBlock {
  readonly type: "list";
  readonly ordered: boolean;
  readonly start: number | undefined;
  /** Blank lines stand between the items or inside one: they are set apart. */
  readonly loose: boolean;
  readonly items: Chunks<ListItem>;
}

export interface TableBlock {
  readonly type: "table";
  readonly align: readonly AlignType[];
  readonly head: TableRow | undefined;
  readonly rows: Chunks<TableRow>;
}

/** A paragraph, heading, quote, rule or text of HTML; definitions, which show nothing where they stand. */
export interface PlainBlock {
  readonly type: "plain";
  readonly node: RootContent;
}

/** Lines of code in one element: one growing text node would be laid out anew with each frame. */
const linesInPiece = 50;

export function toBlock(node: RootContent): Block {
  switch (node.type) {
    case "code":
      return { type: "code", language: node.lang ?? undefined, pieces: toPieces(node.value), closed: true };
    case "list":
      return toListBlock(node);
    case "table":
      return toTableBlock(node);
    default:
      return { type: "plain", node };
  }
}

export function toListBlock(list: List, before: ListBlock = emptyList(list)): ListBlock {
  return {
    ...before,
    loose: before.loose || isLoose(list),
    items: withItems(before.items, list.children),
  };
}

export function toTableBlock(table: Table, before: TableBlock = emptyTable(table)): TableBlock {
  const [head, ...rows] = table.children;
  return { ...before, head: before.head ?? head, rows: withItems(before.rows, rows) };
}

/** A list of the same kind with no item yet. */
export function emptyList(list: List): ListBlock {
  return { type: "list", ordered: list.ordered === true, start: list.start ?? undefined, loose: false, items: [] };
}

/** A table with the same columns and no row yet. */
export function emptyTable(table: Table): TableBlock {
  return { type: "table", align: table.align ?? [], head: undefined, rows: [] };
}

/** The items of a list, or the rows of a table, its head the first of them. */
export function countOfParts(block: Block): number {
  if (block.type === "list") return countOf(block.items);
  return block.type === "table" && block.head ? countOf(block.rows) + 1 : 0;
}

/** A list or table with one more item or row. */
export function withPart(block: Block, part: RootContent): Block {
  if (block.type === "list" && part.type === "listItem") return { ...block, items: withItem(block.items, part) };
  if (block.type !== "table" || part.type !== "tableRow") return block;
  return block.head ? { ...block, rows: withItem(block.rows, part) } : { ...block, head: part };
}

/** A list or table with another item or row in one place. */
export function withReplacedPart(block: Block, index: number, part: RootContent): Block {
  if (block.type === "list" && part.type === "listItem") {
    return { ...block, items: withReplaced(block.items, index, part) };
  }
  if (block.type !== "table" || part.type !== "tableRow") return block;
  return index === 0 ? { ...block, head: part } : { ...block, rows: withReplaced(block.rows, index - 1, part) };
}

export function isLoose(list: Pick<List, "spread" | "children">): boolean {
  return list.spread === true || list.children.some((item) => item.spread === true);
}

/** Code in pieces of fifty lines; joined they are the code. */
export function toPieces(code: string): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  let lines = 0;
  for (const { index, 0: eol } of code.matchAll(/\r\n|\n|\r/g)) {
    lines += 1;
    if (lines % linesInPiece > 0) continue;
    pieces.push(code.slice(from, index + eol.length));
    from = index + eol.length;
  }
  return [...pieces, code.slice(from)];
}
