import { getDocumentProxy } from "unpdf";
import { type Block, collapse, type PageText, UnreadablePage } from "./page-text.ts";

const mostPages = 2_000;

interface Line {
  text: string;
  readonly height: number;
  readonly top: number;
}

/** The text of a PDF. What is set larger than most of it and is short is a heading; `#page=n` leads to a page. */
export async function readPdf(bytes: Uint8Array, fallbackTitle: string, signal: AbortSignal): Promise<PageText> {
  const options = { verbosity: 0, isEvalSupported: false };
  const pdf = await getDocumentProxy(new Uint8Array(bytes), options).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : "unknown";
    throw new UnreadablePage("not_text", `The PDF cannot be read: ${reason}.`);
  });
  try {
    const pages: (readonly Line[])[] = [];
    for (let number = 1; number <= Math.min(pdf.numPages, mostPages); number += 1) {
      signal.throwIfAborted();
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      pages.push(linesOf(items));
      page.cleanup();
    }
    const body = usualHeight(pages.flat());
    const blocks = pages.flatMap((lines, at) => blocksOf(lines, body, `page=${at + 1}`));
    const metadata = await pdf.getMetadata().catch(() => undefined);
    const title = metadata === undefined ? undefined : Reflect.get(metadata.info, "Title");
    return {
      title: typeof title === "string" && /\p{L}{2}/u.test(title) ? collapse(title) : fallbackTitle,
      blocks,
      linksAlone: false,
      noindex: false,
    };
  } finally {
    await pdf.destroy();
  }
}

function linesOf(items: readonly object[]): readonly Line[] {
  const lines: Line[] = [];
  let isOpen = false;
  for (const item of items) {
    if (!("str" in item && "transform" in item && "height" in item) || typeof item.str !== "string") continue;
    const top = Array.isArray(item.transform) ? Number(item.transform[5]) : 0;
    const last = lines.at(-1);
    if (isOpen && last !== undefined) last.text += item.str;
    else lines.push({ text: item.str, height: Number(item.height), top });
    isOpen = !("hasEOL" in item && item.hasEOL === true);
  }
  return lines.filter((line) => line.text.trim() !== "");
}

function usualHeight(lines: readonly Line[]): number {
  const letters = new Map<number, number>();
  for (const { height, text } of lines) {
    const rounded = Math.round(height * 2) / 2;
    letters.set(rounded, (letters.get(rounded) ?? 0) + text.length);
  }
  return [...letters].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0])[0];
}

function blocksOf(lines: readonly Line[], body: number, anchor: string): readonly Block[] {
  const blocks: Block[] = [];
  let before: Line | undefined;
  let paragraph = "";
  const flush = (): void => {
    const text = collapse(paragraph);
    if (text !== "") blocks.push({ kind: "text", text, anchor });
    paragraph = "";
  };
  for (const line of lines) {
    const isHeading =
      body > 0 && line.height >= 1.2 * body && line.text.trim().length < 120 && /\p{L}/u.test(line.text);
    const gap = before === undefined ? 0 : Math.abs(before.top - line.top);
    if (isHeading || gap > 1.8 * Math.max(line.height, body)) flush();
    if (isHeading) {
      blocks.push({ kind: "heading", level: line.height >= 1.6 * body ? 2 : 3, text: collapse(line.text), anchor });
    } else {
      const isHyphenated = /\p{Ll}-$/u.test(paragraph) && /^\p{Ll}/u.test(line.text);
      paragraph = isHyphenated ? paragraph.slice(0, -1) + line.text : `${paragraph} ${line.text}`;
    }
    before = line;
  }
  flush();
  return blocks;
}
