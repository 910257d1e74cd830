/**
 * The closed blocks of a text. Later text changes them in only one way: a definition turns earlier references into links, and
 * the end of the text turns references to undefined footnotes into plain text. A piece that a definition may still change is
 * kept as source, and parsed again when that definition arrives.
 */
import type { Definition, FootnoteDefinition, FootnoteReference, RootContent } from "mdast";
import type { Block } from "./block.ts";
import { countOfEntries, toBlock, withEntries, withReplacedEntry } from "./block.ts";
import type { Groups } from "./groups.ts";
import { countOf, itemAt, withItems, withReplaced } from "./groups.ts";
import { mentionsIn, resolveReferences } from "./references.ts";

/** A closed block, or an entry of the last one: an item of a list or a row of a table. */
export interface ClosedPiece {
  readonly node: RootContent;
  /** A text that produces the same node when it is parsed alone. */
  readonly source: string;
  /** The index of the node among the blocks of that text. For an entry: among the children of its first block. */
  readonly at: number;
}

export interface ClosedBlocks {
  blocks(): Groups<Block>;
  /** The number of parsed blocks, items and rows. Nested items count too. */
  count(): number;
  /** @param label like mdast's `identifier`: in lower case */
  readonly definitionOf: (label: string) => Definition | undefined;
  footnoteOf(label: string): FootnoteDefinition | undefined;
  /** The references outside footnotes, in the order of the text. */
  footnoteReferences(): readonly FootnoteReference[];
  /** Adds a block without references. */
  addPlain(block: Block): void;
  /**
   * Adds blocks that were parsed together.
   *
   * @param undefinedLabels the labels of references in them that had no definition
   */
  addBlocks(pieces: readonly ClosedPiece[], undefinedLabels: ReadonlySet<string>): void;
  /** Adds entries to the last block. */
  addEntries(pieces: readonly ClosedPiece[], undefinedLabels: ReadonlySet<string>): void;
  replaceLast(change: (block: Block) => Block): void;
  /** Turns references to undefined footnotes into plain text, at the end of the text. */
  dropUndefinedFootnotes(): void;
}

/** Parses a text alone, with the definitions of the closed blocks. `undefinedLabels` is as in `addBlocks`. */
export type ParseAlone = (source: string) => {
  readonly blocks: readonly Pick<ClosedPiece, "node">[];
  readonly undefinedLabels: ReadonlySet<string>;
};

/** A closed piece that a definition, or its absence, can still change. */
interface Unresolved {
  readonly source: string;
  readonly at: number;
  /** The index of its block, and for an entry also its index in that block. */
  readonly block: number;
  readonly entry?: number | undefined;
  readonly undefinedLabels: ReadonlySet<string>;
  readonly footnoteLabels: readonly string[];
  readonly footnoteReferences: readonly FootnoteReference[];
}

export function createClosedBlocks(parse: ParseAlone): ClosedBlocks {
  let blocks: Groups<Block> = [];
  let count = 0;
  const unresolved: Unresolved[] = [];
  const definitions = new Map<string, Definition>();
  const footnotes = new Map<string, { readonly node: FootnoteDefinition; readonly source: string }>();

  const definitionOf = (label: string) => definitions.get(label);

  /** Stores the definitions in a piece. If several have the same label, the first counts. Returns the newly defined labels. */
  function register({ node, source }: ClosedPiece): readonly string[] {
    const mentions = mentionsIn([node]);
    count += Math.max(1, mentions.items);
    const newDefinitions = mentions.definitions.filter(({ identifier }) => !definitions.has(identifier));
    for (const definition of newDefinitions.toReversed()) definitions.set(definition.identifier, definition);
    for (const note of mentions.footnoteDefinitions.toReversed()) {
      const before = footnotes.get(note.identifier);
      if (!before || before.source === source) footnotes.set(note.identifier, { node: note, source });
    }
    return newDefinitions.map(({ identifier }) => identifier);
  }

  /** Resolves the references of a registered piece. Returns the labels whose definition can still change it. */
  function resolve(
    { node, source, at }: ClosedPiece,
    undefinedLabels: ReadonlySet<string>,
    place: Pick<Unresolved, "block" | "entry">,
  ): Unresolved {
    const { footnoteLabels, footnoteReferences } = mentionsIn([node]);
    resolveReferences([node], definitionOf);
    // No other definition changes a definition. Hundreds in a row would otherwise be parsed again for each label among them.
    const open = labelsIn(node.type === "definition" ? "" : source, undefinedLabels);
    return { ...place, source, at, undefinedLabels: open, footnoteLabels, footnoteReferences };
  }

  /** Adds pieces; `put` adds their nodes to the blocks. */
  function add(
    pieces: readonly ClosedPiece[],
    undefinedLabels: ReadonlySet<string>,
    placeOf: (index: number) => Pick<Unresolved, "block" | "entry">,
    put: (nodes: readonly RootContent[]) => Groups<Block>,
  ): void {
    const newLabels = pieces.flatMap(register);
    for (const [index, piece] of pieces.entries()) {
      const remaining = resolve(piece, undefinedLabels, placeOf(index));
      if (remaining.undefinedLabels.size > 0 || remaining.footnoteLabels.length > 0) unresolved.push(remaining);
    }
    blocks = put(pieces.map(({ node }) => node));
    if (newLabels.length > 0) parseAgain((piece) => newLabels.some((label) => piece.undefinedLabels.has(label)));
  }

  /** Parses some pieces again and replaces their nodes. */
  function parseAgain(isConcerned: (piece: Unresolved) => boolean): void {
    for (const [index, piece] of unresolved.entries()) {
      if (!isConcerned(piece)) continue;
      const { blocks: alone, undefinedLabels } = parse(piece.source);
      const node = pieceOf(alone, piece);
      if (!node) continue;
      register({ ...piece, node });
      unresolved[index] = resolve({ ...piece, node }, undefinedLabels, piece);
      replace(piece, node);
    }
  }

  function replace({ block, entry }: Unresolved, node: RootContent): void {
    const before = itemAt(blocks, block);
    if (entry !== undefined && before) blocks = withReplaced(blocks, block, withReplacedEntry(before, entry, node));
    else blocks = withReplaced(blocks, block, toBlock(node));
  }

  return {
    blocks: () => blocks,
    count: () => count,
    definitionOf,
    footnoteOf: (label) => footnotes.get(label)?.node,
    footnoteReferences: () => unresolved.flatMap((piece) => piece.footnoteReferences),
    addPlain(block) {
      blocks = withItems(blocks, [block]);
    },
    addBlocks(pieces, undefinedLabels) {
      const first = countOf(blocks);
      add(
        pieces,
        undefinedLabels,
        (index) => ({ block: first + index }),
        (nodes) => withItems(blocks, nodes.map(toBlock)),
      );
    },
    addEntries(pieces, undefinedLabels) {
      const block = countOf(blocks) - 1;
      const last = itemAt(blocks, block);
      if (!last) throw new Error("No block to add to.");
      const first = countOfEntries(last);
      add(
        pieces,
        undefinedLabels,
        (index) => ({ block, entry: first + index }),
        (nodes) => withReplaced(blocks, block, withEntries(last, nodes)),
      );
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

/** The labels that occur in a text. The result may contain some that do not. */
function labelsIn(source: string, labels: ReadonlySet<string>): ReadonlySet<string> {
  if (labels.size === 0 || !source.includes("[")) return new Set();
  // The parser folds the case of labels in the same way.
  const folded = source.toLowerCase().toUpperCase().toLowerCase();
  // The words of a label may be on several lines, so a label with a space is always included.
  return new Set([...labels].filter((label) => label.includes(" ") || folded.includes(label)));
}

function pieceOf(
  blocks: readonly Pick<ClosedPiece, "node">[],
  { at, entry }: Pick<Unresolved, "at" | "entry">,
): RootContent | undefined {
  if (entry === undefined) return blocks[at]?.node;
  const first = blocks[0]?.node;
  return first?.type === "list" || first?.type === "table" ? first.children[at] : undefined;
}
