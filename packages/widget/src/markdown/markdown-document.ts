/** An answer that is parsed while it is written: each part once, as soon as no later text can change it. */
import type { RootContent } from "mdast";
import type { Block } from "./block.ts";
import { toBlock, toListBlock, toTableBlock } from "./block.ts";
import { calmTail } from "./calm-tail.ts";
import type { Chunks } from "./chunks.ts";
import { countOf, itemAt, withItem, withItems, withReplaced } from "./chunks.ts";
import { createFinishedBlocks } from "./finished-blocks.ts";
import type { FinishedBlocks } from "./finished-blocks.ts";
import { noFootnotes, numberFootnotes, sameFootnotes } from "./footnotes.ts";
import type { Footnotes } from "./footnotes.ts";
import { continueFence, endFence, toCodeBlock } from "./open-fence.ts";
import { createParser } from "./parse-markdown.ts";
import type { ParsedBlock } from "./parse-markdown.ts";
import { mentionsIn, resolveReferences } from "./references.ts";
import { closeNext, emptyTail, finishBlocks, sourceOf } from "./tail.ts";
import type { Parsed, Tail, TextTail } from "./tail.ts";

export interface MarkdownDocument {
  /** Adds text, wherever it is cut. */
  append(text: string): void;
  /** No more text comes. */
  finish(): void;
  /** What is to be shown now. Groups of blocks that show the same as before are the same objects as before. */
  snapshot(): MarkdownSnapshot;
  /** UTF-16 units that are parsed anew with the next text. */
  openLength(): number;
}

/** How much is parsed at a time, or as much as is open: the whole costs little more than one parse from end to end. */
export const longestPiece = 2048;

export interface MarkdownSnapshot {
  readonly blocks: Chunks<Block>;
  readonly footnotes: Footnotes;
}

/**
 * @example
 * const document = createMarkdownDocument();
 * document.append("# Погода\n\nСегодня **те");
 * document.snapshot().blocks // one group: a heading, and a paragraph whose last word is strong
 */
export function createMarkdownDocument(): MarkdownDocument {
  let tail: Tail = emptyTail;
  /** The tail as it was parsed last. */
  let parsed: Parsed = { source: "", blocks: [], asked: new Set() };
  /** The first half of what the text was cut in: of a line ending, or of a character outside the basic plane. */
  let half = "";
  let begun = false;
  let ended = false;
  let shown: MarkdownSnapshot | undefined;
  let footnotes = noFootnotes;

  let asked = new Set<string>();
  const parser = createParser({
    isLinkDefined(label) {
      const isDefined = finished.definitionOf(label) !== undefined;
      if (!isDefined) asked.add(label);
      return isDefined;
    },
    // The notes usually come last: while the answer is being written, they are taken to be on their way. None has an empty
    // label or white space in it: over `![^]` the parser would never come to an end, over some others it would throw.
    isFootnoteDefined: (label) => /^\S+$/.test(label) && (!ended || finished.footnoteOf(label) !== undefined),
  });
  const parse = (source: string): Parsed => {
    asked = new Set();
    return { source, blocks: parser(source), asked };
  };
  const finished = createFinishedBlocks((source) => {
    const alone = parse(source);
    return { nodes: alone.blocks.map(({ node }) => node), asked: alone.asked };
  });

  function write(text: string): void {
    if (text !== "") shown = undefined;
    let rest = text;
    while (rest !== "") {
      if (tail.type === "fence") {
        const { fence, rest: after } = continueFence(tail.fence, rest);
        tail = after === undefined ? { type: "fence", fence } : emptyTail;
        if (after !== undefined) finished.addPlain(toCodeBlock(fence, true));
        rest = after ?? "";
      } else {
        tail = { ...tail, source: tail.source + rest };
        rest = closeAll();
      }
    }
  }

  /** Returns text that the tail, now a fence, has yet to take. */
  function closeAll(): string {
    while (tail.type !== "fence") {
      parsed = parse(sourceOf(tail));
      const next = closeNext(tail, parsed, finished);
      if (!next) return "";
      tail = next.tail;
      if (next.rest !== "") return next.rest;
    }
    return "";
  }

  function openLength(): number {
    return tail.type === "fence" ? tail.fence.recent.length + tail.fence.line.length : tail.source.length;
  }

  function show(): MarkdownSnapshot {
    const open = tail.type === "fence" ? [] : openNodes(calmTail(parsed.source, parsed.blocks, parser), finished);
    const blocks =
      tail.type === "fence"
        ? withItem(finished.blocks(), toCodeBlock(tail.fence, false))
        : withOpen(finished.blocks(), open, tail.type);
    const mentions = mentionsIn(open);
    const numbered = numberFootnotes(
      [...finished.footnoteReferences(), ...mentions.footnoteReferences],
      (label) =>
        finished.footnoteOf(label) ?? mentions.footnoteDefinitions.find(({ identifier }) => identifier === label),
    );
    if (!sameFootnotes(numbered, footnotes)) footnotes = numbered;
    return { blocks, footnotes };
  }

  return {
    append(text) {
      if (ended) throw new Error("The markdown document is finished: it takes no more text.");
      if (text === "") return;
      let whole = half + text.replaceAll("\0", "\uFFFD");
      if (!begun && whole.startsWith("\uFEFF")) whole = whole.slice(1);
      begun = true;
      const end = /[\r\uD800-\uDBFF]$/.test(whole) ? whole.length - 1 : whole.length;
      half = whole.slice(end);
      for (let from = 0; from < end;) {
        const piece = whole.slice(from, Math.min(end, from + Math.max(longestPiece, openLength())));
        write(piece);
        from += piece.length;
      }
    },
    finish() {
      if (ended) return;
      write(half);
      ended = true;
      if (tail.type === "fence") finished.addPlain(endFence(tail.fence));
      else finishBlocks(tail, parse(sourceOf(tail)), finished);
      tail = emptyTail;
      parsed = parse("");
      finished.dropUndefinedFootnotes();
      shown = undefined;
    },
    snapshot: () => (shown ??= show()),
    openLength,
  };
}

/** The nodes that are still open, with the references resolved that they or the finished blocks define. */
function openNodes(open: readonly ParsedBlock[], finished: FinishedBlocks): readonly RootContent[] {
  const nodes = open.map(({ node }) => node);
  const { definitions } = mentionsIn(nodes);
  resolveReferences(
    nodes,
    (label) => finished.definitionOf(label) ?? definitions.find(({ identifier }) => identifier === label),
  );
  return nodes;
}

/** The finished blocks and the open ones; the first of these may continue the last of those. */
function withOpen(finished: Chunks<Block>, nodes: readonly RootContent[], tail: TextTail["type"]): Chunks<Block> {
  const [first] = nodes;
  const index = countOf(finished) - 1;
  const last = itemAt(finished, index);
  const continued = first?.type === tail && last ? continueBlock(last, first) : undefined;
  const blocks = continued ? withReplaced(finished, index, continued) : finished;
  return withItems(blocks, (continued ? nodes.slice(1) : nodes).map(toBlock));
}

function continueBlock(block: Block, node: RootContent): Block | undefined {
  if (block.type === "list" && node.type === "list") return toListBlock(node, block);
  return block.type === "table" && node.type === "table" ? toTableBlock(node, block) : undefined;
}
