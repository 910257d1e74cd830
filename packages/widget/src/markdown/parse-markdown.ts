import type { RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFootnoteFromMarkdown } from "mdast-util-gfm-footnote";
import { gfmStrikethroughFromMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { gfmFootnote } from "micromark-extension-gfm-footnote";
import { gfmTable } from "micromark-extension-gfm-table";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import type { ParseContext, Extension, FullNormalizedExtension, Tokenizer } from "micromark-util-types";
import { indentedCode } from "./indented-code.ts";
import { withInlineLimits } from "./inline-limits.ts";
import { autolinkLiteralFromMarkdown, bareAddresses } from "./autolink-literal.ts";
import { exceedsBlockLimits } from "./block-limits.ts";
import { cjkEmphasis } from "./cjk-emphasis.ts";
import type { CitationSyntax } from "./citation-node.ts";
import type { MathSyntax } from "./math/math-node.ts";

/** A block and its place in the parsed text. */
export interface ParsedBlock {
  readonly node: RootContent;
  readonly start: Place;
  readonly end: Place;
}

export interface Place {
  /** In UTF-16 units. */
  readonly offset: number;
  /** Counted from 1. */
  readonly line: number;
}

export type ParseMarkdown = (source: string) => readonly ParsedBlock[];

/**
 * Creates a parser from markdown to mdast: CommonMark with GitHub's extensions (tables, strikethrough, task lists, footnotes,
 * autolinks), emphasis beside CJK characters and, if their syntax is given, formulas and citations. It never throws: text
 * beyond `exceedsBlockLimits`, and text at which micromark throws, becomes plain paragraphs.
 */
export function createParser(labels: DefinedLabels, math?: MathSyntax, citations?: CitationSyntax): ParseMarkdown {
  const extensions = [bareAddresses(), gfmFootnote(), gfmTable(), gfmTaskListItem(), cjkEmphasis(), indentedCode()];
  const mdastExtensions = [
    autolinkLiteralFromMarkdown(),
    gfmFootnoteFromMarkdown(),
    gfmStrikethroughFromMarkdown(),
    gfmTableFromMarkdown(),
    gfmTaskListItemFromMarkdown(),
  ];
  if (math) {
    extensions.push(math.micromark);
    mdastExtensions.push(math.mdast);
  }
  if (citations) mdastExtensions.push(citations.mdast);
  const nextExtensions = mergeOnce(extensions, withInlineLimits, withDefinedLabels(labels));
  return (source) => {
    if (exceedsBlockLimits(source)) return plainParagraphs(source);
    // micromark removes a byte order mark at the start of a text. Within an answer it is a character, so a second one is put in
    // front and removed instead.
    const whole = source.startsWith("\uFEFF") ? `\uFEFF${source}` : source;
    try {
      const blocks = fromMarkdown(whole, { extensions: nextExtensions(), mdastExtensions }).children.map(placed);
      return blocks.map((block, index) => afterBlock(block, blocks[index - 1], source));
    } catch {
      return plainParagraphs(source);
    }
  };
}

/**
 * A node with its place.
 *
 * @throws Error for a node whose position was removed (see `resolveReferences`)
 */
export function placed(node: RootContent): ParsedBlock {
  if (!node.position) throw new Error("No position.");
  const { start, end } = node.position;
  return {
    node,
    start: { offset: start.offset ?? 0, line: start.line },
    end: { offset: end.offset ?? 0, line: end.line },
  };
}

/** The start of the line after `offset`; `undefined` while the line of `offset` is incomplete. */
export function nextLineStart(source: string, offset: number): number | undefined {
  const eol = /\r\n|\n|\r/g;
  eol.lastIndex = offset;
  return eol.test(source) ? eol.lastIndex : undefined;
}

/** Corrects micromark's position of an underlined heading right after a definition, which starts where the definition does. */
function afterBlock(block: ParsedBlock, before: ParsedBlock | undefined, source: string): ParsedBlock {
  if (!before || block.start.offset >= before.end.offset) return block;
  const offset = nextLineStart(source, before.end.offset) ?? before.end.offset;
  return { ...block, start: { offset, line: before.end.line + 1 } };
}

/** A text as it was written, divided only by blank lines. */
export function plainParagraphs(source: string): readonly ParsedBlock[] {
  const blocks: ParsedBlock[] = [];
  let line = 1;
  let offset = 0;
  for (const paragraph of source.split(/((?:\r\n|\n|\r)(?:[ \t]*(?:\r\n|\n|\r))+)/)) {
    const start = { offset, line };
    offset += paragraph.length;
    line += paragraph.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (paragraph.trim() === "") continue;
    const node: RootContent = { type: "paragraph", children: [{ type: "text", value: paragraph }] };
    blocks.push({ node, start, end: { offset, line } });
  }
  return blocks;
}

/**
 * Whether a label is defined. Definitions in the parsed text itself do not count.
 *
 * @param label in lower case, with single spaces
 */
interface DefinedLabels {
  readonly isLinkDefined: (label: string) => boolean;
  readonly isFootnoteDefined: (label: string) => boolean;
}

/**
 * Allows references whose definitions are in another text. micromark reads `[a][b]` as a link, and `[^b]` as a footnote, only
 * if `b` is in its lists of definitions, which hold those of the same text. An answer is parsed block by block, so the lists
 * are replaced by lists that also ask `labels`.
 */
function withDefinedLabels(labels: DefinedLabels): (parser: ParseContext) => void {
  return (parser) => {
    parser.defined = listOf(labels.isLinkDefined);
    parser.gfmFootnotes = listOf(labels.isFootnoteDefined);
  };
}

function listOf(isDefined: (label: string) => boolean): string[] {
  return Object.assign([], { includes: (label: string) => isDefined(label.toLowerCase()) });
}

/**
 * Merges extensions for many parses. micromark merges its own constructs with those of the extensions at each parse, which
 * takes longer than the parse of a short text. Here the first parse merges them, and later ones reuse the result.
 *
 * @param change changes the result
 * @param begin called at the beginning of each parse
 * @returns a function to call for each parse, which returns the extensions to parse with
 */
export function mergeOnce(
  extensions: readonly Extension[],
  change: (merged: FullNormalizedExtension) => FullNormalizedExtension,
  begin: (parser: ParseContext) => void,
): () => Extension[] {
  let merged: FullNormalizedExtension | undefined;
  const tokenize: Tokenizer = function takeOver(_effects, _ok, nok) {
    this.parser.constructs = merged ??= change(this.parser.constructs);
    begin(this.parser);
    return nok;
  };
  // A document construct that never matches. It is tried on the first line, before the text of that line is parsed.
  const takeOver: Extension = { document: { null: { tokenize } } };
  // The other document constructs are tried on the first line too, and before this one.
  const ofDocument = extensions.map(({ document = {} }) => ({ document }));
  return () => [...(merged ? ofDocument : extensions), takeOver];
}
