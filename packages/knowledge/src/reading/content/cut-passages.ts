import type { StoredPassage } from "../../store/knowledge-store.ts";
import type { Block } from "./page-text.ts";

const mostCharacters = 1_200;
/** A passage that is at least as long ends before a block that does not fit, rather than in its middle. */
const fewCharacters = 400;

interface Piece {
  readonly text: string;
  readonly anchor: string | undefined;
  /** What stands between it and the piece before. */
  readonly joint: "" | "\n";
  /** How long the rest of its block is, with it. */
  readonly rest: number;
}

/**
 * The passages of a page: each is text below one heading, of at most 1,200 characters, cut between blocks where that leaves no
 * crumbs, else between sentences, a table between rows and code between lines.
 */
export function cutPassages(blocks: readonly Block[], language?: string): readonly StoredPassage[] {
  // The language alone: what else a page says of it may be no tag that is known.
  const [locale] = /^[a-z]{2,3}\b/i.exec(language ?? "") ?? ["en"];
  const segmenter = new Intl.Segmenter(locale, { granularity: "sentence" });
  const passages: StoredPassage[] = [];
  const above: { readonly level: number; readonly text: string }[] = [];
  let headingAnchor: string | undefined;
  let lastAnchor: string | undefined;
  let open: { text: string; anchor: string | undefined } | undefined;
  const close = (): void => {
    const text = open?.text.trim() ?? "";
    const anchor = open?.anchor ?? headingAnchor;
    if (text !== "") {
      const headings = above.map((heading) => heading.text);
      // An id leads to the first passage below it. A browser finds the next ones by their words, though not in a PDF.
      const leads = anchor !== undefined && (anchor !== lastAnchor || anchor.startsWith("page="));
      passages.push({ headings, ...(leads ? { anchor } : {}), text });
      lastAnchor = anchor;
    }
    open = undefined;
  };

  for (const block of blocks) {
    if (block.kind === "heading") {
      close();
      while ((above.at(-1)?.level ?? 0) >= block.level) above.pop();
      above.push({ level: block.level, text: shortened(block.text) });
      headingAnchor = block.anchor;
      continue;
    }
    for (const piece of piecesOf(block, segmenter)) {
      if (open !== undefined) {
        const length = open.text.length + piece.joint.length;
        const isLong = piece.joint === "\n" && open.text.length >= fewCharacters;
        if (length + (isLong ? piece.rest : piece.text.length) > mostCharacters) close();
      }
      if (open === undefined) open = { text: piece.text, anchor: piece.anchor };
      else open.text += piece.joint + piece.text;
    }
  }
  close();
  return passages;
}

function piecesOf(block: Exclude<Block, { kind: "heading" }>, segmenter: Intl.Segmenter): readonly Piece[] {
  const anchor = block.anchor;
  if (block.text.length <= mostCharacters) {
    return [{ text: block.text, anchor, joint: "\n", rest: block.text.length }];
  }
  const isCode = block.kind === "code";
  // Each sentence has the white space behind it.
  const parts = isCode ? block.text.split("\n") : Array.from(segmenter.segment(block.text), ({ segment }) => segment);
  return parts.flatMap((part, at) =>
    splitLong(part).map((text, inPart) => {
      const isFirst = at === 0 && inPart === 0;
      const joint = isFirst || (isCode && inPart === 0) ? "\n" : "";
      // Code may be cut at any of its lines.
      return { text, anchor, joint, rest: isCode ? text.length : isFirst ? block.text.length : 0 };
    }),
  );
}

/** A sentence that is longer than a passage is cut between words, and a word of that length between characters. */
function splitLong(text: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  while (text.length - from > mostCharacters) {
    const window = text.slice(from, from + mostCharacters);
    const space = window.lastIndexOf(" ");
    const end = space > mostCharacters / 2 ? space + 1 : window.length - (/[\ud800-\udbff]$/.test(window) ? 1 : 0);
    parts.push(text.slice(from, from + end));
    from += end;
  }
  parts.push(text.slice(from));
  return parts;
}

/** A heading or a title: whole texts stand in them by mistake. */
export function shortened(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 299)}…`;
}
