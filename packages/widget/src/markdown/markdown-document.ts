/**
 * A markdown text that is parsed while it is being written. Only its end (the tail, see tail.ts) is parsed again with more
 * text. Blocks that no later text can change are closed and stay the same objects.
 */
import type { RootContent } from "mdast";
import type { Block } from "./block.ts";
import type { CitationSyntax } from "./citation-node.ts";
import { toBlock, toListBlock, toTableBlock } from "./block.ts";
import { previewTail } from "./preview-tail.ts";
import type { Groups } from "./groups.ts";
import { countOf, itemAt, withItems, withReplaced } from "./groups.ts";
import { createClosedBlocks } from "./closed-blocks.ts";
import { noFootnotes, numberFootnotes, sameFootnotes } from "./footnotes.ts";
import type { Footnotes } from "./footnotes.ts";
import { continueFence, endFence, toCodeBlock } from "./open-fence.ts";
import { mayHoldFormula } from "./math/is-formula.ts";
import type { MathSyntax } from "./math/math-node.ts";
import { hasTooManyBlocks } from "./block-limits.ts";
import { createParser, plainParagraphs } from "./parse-markdown.ts";
import { mentionsIn, resolveReferences } from "./references.ts";
import { closeNext, closeTail, emptyTail, sourceOf } from "./tail.ts";
import type { ParsedText, Tail, TextTail } from "./tail.ts";

export interface MarkdownDocument {
  /**
   * Appends text, which may be cut anywhere, even inside a line ending or a surrogate pair.
   *
   * @throws Error after `finish`
   */
  append(text: string): void;
  /** Closes the tail as it is. Markers that are still open are shown as they were written. */
  finish(): void;
  /** The blocks to show now. Groups of unchanged blocks are the same objects as in the previous snapshot. */
  snapshot(): MarkdownSnapshot;
  /** The length of the tail in UTF-16 units, which is parsed again with the next text. */
  openLength(): number;
}

/**
 * The maximum number of UTF-16 units that are parsed at a time, unless the tail is longer. This keeps the cost of a long text
 * near that of a single parse.
 */
export const maxPieceLength = 2048;

export interface MarkdownSnapshot {
  readonly blocks: Groups<Block>;
  readonly footnotes: Footnotes;
  /** Whether a text outside code may contain a formula although the document was created without the syntax of formulas. */
  readonly wantsMath: boolean;
}

/**
 * @example
 * const document = createMarkdownDocument();
 * document.append("# Погода\n\nСегодня **те");
 * document.snapshot().blocks // one group of two: a heading, and a paragraph that ends with a strong «те»
 * document.append("пло**.\n\nЗавтра");
 * document.snapshot().blocks // one group of three; the heading is closed
 */
export function createMarkdownDocument(math?: MathSyntax, citations?: CitationSyntax): MarkdownDocument {
  let tail: Tail = emptyTail;
  /** The result of the tail's last parse. */
  let parsed = nothingParsed;
  /** A CR or a high surrogate at the end of the text. The next text may contain its second half. */
  let firstHalf = "";
  let hasText = false;
  let isFinished = false;
  let lastSnapshot: MarkdownSnapshot | undefined;
  let footnotes = noFootnotes;
  let wantsMath = false;

  let undefinedLabels = new Set<string>();
  const parser = createParser(
    {
      isLinkDefined(label) {
        const isDefined = closed.definitionOf(label) !== undefined;
        if (!isDefined) undefinedLabels.add(label);
        return isDefined;
      },
      // Footnotes are usually defined at the end. While the text is being written, every label counts as defined. Empty labels
      // and labels with white space never do: at `![^]` the parser would loop forever, and at some others it would throw.
      isFootnoteDefined: (label) => /^\S+$/.test(label) && (!isFinished || closed.footnoteOf(label) !== undefined),
    },
    math,
    citations,
  );
  let length = 0;
  /** Whether the rest of the text is not parsed. */
  let isPlain = false;
  const parse = (source: string, plain = isPlain): ParsedText => {
    undefinedLabels = new Set();
    const blocks = (plain ? plainParagraphs : parser)(source);
    wantsMath ||=
      !math &&
      blocks.some(
        ({ node, start, end }) => node.type !== "code" && mayHoldFormula(source.slice(start.offset, end.offset)),
      );
    return { source, blocks, undefinedLabels };
  };
  const closed = createClosedBlocks((source) => parse(source, false));

  function write(text: string): void {
    lastSnapshot = undefined;
    length += text.length;
    let rest = text;
    while (rest !== "") {
      if (tail.type === "fence") {
        const { fence, rest: after } = continueFence(tail.fence, rest);
        if (after === undefined) tail = { type: "fence", fence };
        else {
          closed.addPlain(toCodeBlock(fence, true));
          empty();
        }
        rest = after ?? "";
      } else {
        const source = tail.source + rest;
        // Blank lines before a block mean nothing, and thousands of them would be read again and again.
        tail = { ...tail, source: tail.type === "text" ? source.replace(/^(?:[ \t]*[\r\n])+/, "") : source };
        rest = closeAll();
      }
    }
  }

  function empty(): void {
    tail = emptyTail;
    parsed = nothingParsed;
  }

  /** Closes as much as possible. Returns text that is still to be written if the tail has become a fence; otherwise "". */
  function closeAll(): string {
    while (tail.type !== "fence") {
      isPlain ||= hasTooManyBlocks(closed.count(), length);
      if (isPlain) tail = { type: "text", source: tail.source };
      parsed = parse(sourceOf(tail));
      const next = closeNext(tail, parsed, closed);
      if (!next) return "";
      tail = next.tail;
      if (next.rest !== "") return next.rest;
    }
    return "";
  }

  function openLength(): number {
    return tail.type === "fence" ? tail.fence.recent.length + tail.fence.line.length : tail.source.length;
  }

  function takeSnapshot(): MarkdownSnapshot {
    let blocks = closed.blocks();
    let open: readonly RootContent[] = [];
    if (tail.type === "fence") blocks = withItems(blocks, [toCodeBlock(tail.fence, false)]);
    else {
      const shown = isPlain ? parsed.blocks : previewTail(parsed.source, parsed.blocks, parser);
      open = shown.map(({ node }) => node);
      resolveReferences(open, closed.definitionOf);
      blocks = withOpen(blocks, open, tail.type);
    }
    const mentions = mentionsIn(open);
    const numbered = numberFootnotes(
      [...closed.footnoteReferences(), ...mentions.footnoteReferences],
      (label) =>
        closed.footnoteOf(label) ?? mentions.footnoteDefinitions.find(({ identifier }) => identifier === label),
    );
    if (!sameFootnotes(numbered, footnotes)) footnotes = numbered;
    return { blocks, footnotes, wantsMath };
  }

  return {
    append(text) {
      if (isFinished) throw new Error("The text is finished.");
      if (text === "") return;
      let whole = firstHalf + text.replaceAll("\0", "\uFFFD");
      if (!hasText && whole.startsWith("\uFEFF")) whole = whole.slice(1);
      hasText = true;
      const end = /[\r\uD800-\uDBFF]$/.test(whole) ? whole.length - 1 : whole.length;
      firstHalf = whole.slice(end);
      for (let from = 0; from < end;) {
        const piece = whole.slice(from, Math.min(end, from + Math.max(maxPieceLength, openLength())));
        write(piece);
        from += piece.length;
      }
    },
    finish() {
      if (isFinished) return;
      write(firstHalf);
      if (tail.type === "fence") closed.addPlain(endFence(tail.fence));
      else closeTail(tail, parse(sourceOf(tail)), closed);
      empty();
      isFinished = true;
      closed.dropUndefinedFootnotes();
    },
    snapshot: () => (lastSnapshot ??= takeSnapshot()),
    openLength,
  };
}

const nothingParsed: ParsedText = { source: "", blocks: [], undefinedLabels: new Set() };

/** The closed blocks followed by the tail's. The first block of the tail may continue the last closed list or table. */
function withOpen(closed: Groups<Block>, nodes: readonly RootContent[], tail: TextTail["type"]): Groups<Block> {
  const [first] = nodes;
  const index = countOf(closed) - 1;
  const last = itemAt(closed, index);
  const continued = first?.type === tail && last ? continueBlock(last, first) : undefined;
  const blocks = continued ? withReplaced(closed, index, continued) : closed;
  return withItems(blocks, (continued ? nodes.slice(1) : nodes).map(toBlock));
}

function continueBlock(block: Block, node: RootContent): Block | undefined {
  if (block.type === "list" && node.type === "list") return toListBlock(node, block);
  return block.type === "table" && node.type === "table" ? toTableBlock(node, block) : undefined;
}
