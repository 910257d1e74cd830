/** The part of an answer that no later text can change, but for its references: later definitions resolve them. */
import type { Definition, FootnoteDefinition, FootnoteReference, RootContent } from "mdast";
import type { Block } from "./block.ts";
import { countOfParts, toBlock, withPart, withReplacedPart } from "./block.ts";
import type { Chunks } from "./chunks.ts";
import { countOf, itemAt, withItem, withReplaced } from "./chunks.ts";
import { mentionsIn, resolveReferences } from "./references.ts";

/** A block, or an item or row of the last block. */
export interface Piece {
  readonly node: RootContent;
  /** A text that gives the same when it is parsed alone: as the block, or as the child of the first block, at `at`. */
  readonly source: string;
  readonly at: number;
}

export interface FinishedBlocks {
  blocks(): Chunks<Block>;
  definitionOf(label: string): Definition | undefined;
  footnoteOf(label: string): FootnoteDefinition | undefined;
  /** In the order of the text. */
  footnoteReferences(): readonly FootnoteReference[];
  /** A block without references. */
  addPlain(block: Block): void;
  /** Blocks that were parsed together; `asked` are the labels without a definition that the parser came upon. */
  addBlocks(pieces: readonly Piece[], asked: ReadonlySet<string>): void;
  /** Items or rows for the last block. */
  addParts(pieces: readonly Piece[], asked: ReadonlySet<string>): void;
  replaceLast(change: (block: Block) => Block): void;
  /** Parses again what mentions footnotes that have no definition: at the end of the answer they are plain text. */
  dropUndefinedFootnotes(): void;
}

/** Parses a text alone with what is known of the answer's definitions; `asked` as in `addBlocks`. */
export type Parse = (source: string) => { readonly nodes: readonly RootContent[]; readonly asked: ReadonlySet<string> };

/** A finished piece that a definition could still change. */
interface Unsettled {
  readonly source: string;
  readonly at: number;
  readonly block: number;
  readonly part: number | undefined;
  readonly asked: ReadonlySet<string>;
  readonly footnoteLabels: readonly string[];
  readonly footnoteReferences: readonly FootnoteReference[];
}

export function createFinishedBlocks(parse: Parse): FinishedBlocks {
  let blocks: Chunks<Block> = [];
  const unsettled: Unsettled[] = [];
  const definitions = new Map<string, Definition>();
  const footnotes = new Map<string, { readonly node: FootnoteDefinition; readonly source: string }>();

  /** Takes a piece's definitions in, the first of each label. Returns the labels that have one only now. */
  function register({ node, source }: Piece): readonly string[] {
    const mentions = mentionsIn([node]);
    const fresh = mentions.definitions.filter(({ identifier }) => !definitions.has(identifier));
    for (const definition of fresh.toReversed()) definitions.set(definition.identifier, definition);
    for (const note of mentions.footnoteDefinitions.toReversed()) {
      const owner = footnotes.get(note.identifier);
      if (!owner || owner.source === source) footnotes.set(note.identifier, { node: note, source });
    }
    return fresh.map(({ identifier }) => identifier);
  }

  /** A piece that is parsed and registered, with its references resolved; `rest` is what later text may resolve. */
  function settle(piece: Piece, asked: ReadonlySet<string>, place: Pick<Unsettled, "block" | "part">) {
    let { node } = piece;
    let labels = asked;
    if (mentionsIn([node]).labels.some((label) => !definitions.has(label))) {
      // The definition itself is not finished: until it is, the reference is plain text.
      const alone = parse(piece.source);
      node = pieceOf(alone.nodes, { ...piece, ...place }) ?? node;
      labels = alone.asked;
      register({ ...piece, node });
    }
    const { footnoteLabels, footnoteReferences } = mentionsIn([node]);
    resolveReferences([node], (label) => definitions.get(label));
    const open = labelsIn(piece.source, labels);
    const rest =
      open.size > 0 || footnoteLabels.length > 0
        ? { source: piece.source, at: piece.at, ...place, asked: open, footnoteLabels, footnoteReferences }
        : undefined;
    return { node, rest };
  }

  function settleNew(piece: Piece, asked: ReadonlySet<string>, place: Pick<Unsettled, "block" | "part">): RootContent {
    const { node, rest } = settle(piece, asked, place);
    if (rest) unsettled.push(rest);
    return node;
  }

  function parseAgain(isConcerned: (piece: Unsettled) => boolean): void {
    for (const [index, piece] of unsettled.entries()) {
      if (!isConcerned(piece)) continue;
      const { nodes, asked } = parse(piece.source);
      const parsed = pieceOf(nodes, piece);
      if (!parsed) continue;
      register({ ...piece, node: parsed });
      const { node, rest } = settle({ ...piece, node: parsed }, asked, { block: piece.block, part: piece.part });
      unsettled[index] = rest ?? { ...piece, asked: new Set(), footnoteLabels: [], footnoteReferences: [] };
      replace(piece, node);
    }
  }

  function replace({ block, part }: Unsettled, node: RootContent): void {
    const before = itemAt(blocks, block);
    if (part !== undefined && before) blocks = withReplaced(blocks, block, withReplacedPart(before, part, node));
    else blocks = withReplaced(blocks, block, toBlock(node));
  }

  function resolveFresh(labels: readonly string[]): void {
    if (labels.length > 0) parseAgain(({ asked }) => labels.some((label) => asked.has(label)));
  }

  return {
    blocks: () => blocks,
    definitionOf: (label) => definitions.get(label),
    footnoteOf: (label) => footnotes.get(label)?.node,
    footnoteReferences: () => unsettled.flatMap((piece) => piece.footnoteReferences),
    addPlain(block) {
      blocks = withItem(blocks, block);
    },
    addBlocks(pieces, asked) {
      const fresh = pieces.flatMap(register);
      for (const piece of pieces) {
        const node = settleNew(piece, asked, { block: countOf(blocks), part: undefined });
        blocks = withItem(blocks, toBlock(node));
      }
      resolveFresh(fresh);
    },
    addParts(pieces, asked) {
      const fresh = pieces.flatMap(register);
      const index = countOf(blocks) - 1;
      for (const piece of pieces) {
        const last = itemAt(blocks, index);
        if (!last) throw new Error("No list or table to add to: addPlain comes first.");
        const node = settleNew(piece, asked, { block: index, part: countOfParts(last) });
        blocks = withReplaced(blocks, index, withPart(last, node));
      }
      resolveFresh(fresh);
    },
    replaceLast(change) {
      const index = countOf(blocks) - 1;
      const last = itemAt(blocks, index);
      if (last) blocks = withReplaced(blocks, index, change(last));
    },
    dropUndefinedFootnotes() {
      parseAgain(({ footnoteLabels }) => footnoteLabels.some((label) => !footnotes.has(label)));
    },
  };
}

/** Those of the labels that a text may hold. */
function labelsIn(source: string, labels: ReadonlySet<string>): ReadonlySet<string> {
  if (labels.size === 0 || !source.includes("[")) return new Set();
  // As the parser folds the case of labels.
  const folded = source.toLowerCase().toUpperCase().toLowerCase();
  // One of several words may stand on several lines.
  return new Set([...labels].filter((label) => label.includes(" ") || folded.includes(label)));
}

function pieceOf(nodes: readonly RootContent[], { at, part }: Pick<Unsettled, "at" | "part">): RootContent | undefined {
  if (part === undefined) return nodes[at];
  const first = nodes[0];
  return first?.type === "list" || first?.type === "table" ? first.children[at] : undefined;
}
