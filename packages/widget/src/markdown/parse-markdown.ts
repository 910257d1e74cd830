import type { RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFootnoteFromMarkdown } from "mdast-util-gfm-footnote";
import { gfmStrikethroughFromMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { gfm } from "micromark-extension-gfm";
import { inlineLimits } from "./inline-limits.ts";
import { knownLabels } from "./known-labels.ts";
import type { KnownLabels } from "./known-labels.ts";
import { autolinkLiteralFromMarkdown } from "./autolink-literal.ts";
import { exceedsBlockLimits } from "./block-limits.ts";
import { cjkEmphasis } from "./cjk-emphasis.ts";

/** A block with its place in the text that was parsed: offsets in UTF-16 units, lines from 1. */
export interface ParsedBlock {
  readonly node: RootContent;
  readonly start: Place;
  readonly end: Place;
}

export interface Place {
  readonly offset: number;
  readonly line: number;
}

export type ParseMarkdown = (source: string) => readonly ParsedBlock[];

/**
 * A parser of CommonMark with GitHub's extensions (tables, strikethrough, task lists, footnotes, autolinks) and emphasis
 * beside CJK characters, to mdast. It never throws: what no answer meant to be read contains (see `exceedsBlockLimits`), or what the grammar itself throws
 * over, comes back as plain paragraphs.
 */
export function createParser(known: KnownLabels): ParseMarkdown {
  const extensions = [gfm(), cjkEmphasis(), inlineLimits(), knownLabels(known)];
  const mdastExtensions = [
    autolinkLiteralFromMarkdown(),
    gfmFootnoteFromMarkdown(),
    gfmStrikethroughFromMarkdown(),
    gfmTableFromMarkdown(),
    gfmTaskListItemFromMarkdown(),
  ];
  return (source) => {
    if (exceedsBlockLimits(source)) return plainParagraphs(source);
    // The parser drops a byte order mark at the beginning, and here it is in the middle of an answer.
    const whole = source.startsWith("\uFEFF") ? `\uFEFF${source}` : source;
    try {
      const blocks = fromMarkdown(whole, { extensions, mdastExtensions }).children.map(placed);
      return blocks.map((block, index) => afterBlock(block, blocks[index - 1], source));
    } catch {
      // What the grammar trips over is still what was said.
      return plainParagraphs(source);
    }
  };
}

/** A freshly parsed node with its place. */
export function placed(node: RootContent): ParsedBlock {
  if (!node.position) throw new Error(`A markdown ${node.type} has no position: it was not parsed here.`);
  const { start, end } = node.position;
  return {
    node,
    start: { offset: start.offset ?? 0, line: start.line },
    end: { offset: end.offset ?? 0, line: end.line },
  };
}

/** An underlined heading that follows a definition is said to begin where the definition does. */
function afterBlock(block: ParsedBlock, before: ParsedBlock | undefined, source: string): ParsedBlock {
  if (!before || block.start.offset >= before.end.offset) return block;
  const eol = /\r\n|\n|\r/g;
  eol.lastIndex = before.end.offset;
  const offset = eol.test(source) ? eol.lastIndex : before.end.offset;
  return { ...block, start: { offset, line: before.end.line + 1 } };
}

function plainParagraphs(source: string): readonly ParsedBlock[] {
  const blocks: ParsedBlock[] = [];
  let line = 1;
  let offset = 0;
  for (const paragraph of source.split(/((?:\r\n|\n|\r)(?:[ \t]*(?:\r\n|\n|\r))+)/)) {
    const lines = paragraph.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (paragraph.trim() !== "") {
      const node: RootContent = { type: "paragraph", children: [{ type: "text", value: paragraph }] };
      blocks.push({
        node,
        start: { offset, line },
        end: { offset: offset + paragraph.length, line: line + lines },
      });
    }
    offset += paragraph.length;
    line += lines;
  }
  return blocks;
}
