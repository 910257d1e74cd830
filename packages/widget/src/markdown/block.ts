import type { AlignType, List, ListItem, RootContent, Table, TableRow } from "mdast";
import type { Groups } from "./groups.ts";
import { countOf, withItems, withReplaced } from "./groups.ts";

/**
 * A block in the form that the view needs. Code, lists and tables are stored in pieces, so that a long one costs no more per
 * frame than a short one.
 */
export type Block = CodeBlock | ListBlock | TableBlock | PlainBlock;

/** A block of code, complete or still being written. */
export interface CodeBlock {
  readonly type: "code";
  /** The word after the opening fence. */
  readonly language: string | undefined;
  /** The code in pieces of 50 lines. All but the last end with a line ending. */
  readonly pieces: readonly string[];
  /** Whether the closing fence has arrived or the text has ended. */
  readonly closed: boolean;
}

/** A list, with its items in groups. */
export interface ListBlock {
  readonly type: "list";
  readonly ordered: boolean;
  readonly start: number | undefined;
  /** Whether there is a blank line between two items or inside one (CommonMark 0.31, section 5.3). */
  readonly loose: boolean;
  readonly items: Groups<ListItem>;
}

/** A table, with its rows in groups. */
export interface TableBlock {
  readonly type: "table";
  readonly align: readonly AlignType[];
  readonly head: TableRow | undefined;
  readonly rows: Groups<TableRow>;
}

/** Every other block: a paragraph, heading, quote, thematic break, HTML, or a definition, which shows nothing. */
export interface PlainBlock {
  readonly type: "plain";
  readonly node: RootContent;
}

/** The lines of code in one element. The browser lays out a growing text node again in each frame. */
const linesInPiece = 50;

/** The block for a node of the parser. */
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

/** The list as a block. Its items are appended to `before`, the part of the same list that was parsed earlier. */
export function toListBlock(list: List, before: ListBlock = emptyList(list)): ListBlock {
  return {
    ...before,
    loose: before.loose || isLoose(list),
    items: withItems(before.items, list.children),
  };
}

/** The table as a block. Its rows are appended to `before`, the part of the same table that was parsed earlier. */
export function toTableBlock(table: Table, before: TableBlock = emptyTable(table)): TableBlock {
  const [head, ...rows] = table.children;
  return { ...before, head: before.head ?? head, rows: withItems(before.rows, rows) };
}

/** The list without its items. */
export function emptyList(list: List): ListBlock {
  return { type: "list", ordered: list.ordered === true, start: list.start ?? undefined, loose: false, items: [] };
}

/** The table without its rows. */
export function emptyTable(table: Table): TableBlock {
  return { type: "table", align: table.align ?? [], head: undefined, rows: [] };
}

/** The number of a block's entries: the items of a list, or the rows of a table, including its head. */
export function countOfEntries(block: Block): number {
  if (block.type === "list") return countOf(block.items);
  return block.type === "table" && block.head ? countOf(block.rows) + 1 : 0;
}

/** The list or table with entries appended. The first entry of a table is its head and is added alone. */
export function withEntries(block: Block, entries: readonly RootContent[]): Block {
  if (block.type === "list") {
    const items = entries.filter((entry) => entry.type === "listItem");
    return { ...block, items: withItems(block.items, items) };
  }
  if (block.type !== "table") return block;
  const rows = entries.filter((entry) => entry.type === "tableRow");
  return block.head ? { ...block, rows: withItems(block.rows, rows) } : { ...block, head: rows[0] };
}

/** The list or table with the entry at `index` replaced. */
export function withReplacedEntry(block: Block, index: number, entry: RootContent): Block {
  if (block.type === "list" && entry.type === "listItem") {
    return { ...block, items: withReplaced(block.items, index, entry) };
  }
  if (block.type !== "table" || entry.type !== "tableRow") return block;
  return index === 0 ? { ...block, head: entry } : { ...block, rows: withReplaced(block.rows, index - 1, entry) };
}

/** Whether a list is loose: there is a blank line between two of its items or inside one. */
export function isLoose(list: Pick<List, "spread" | "children">): boolean {
  return list.spread === true || list.children.some((item) => item.spread === true);
}

/** Splits code after every 50 lines. */
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
