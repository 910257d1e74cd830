import { micromark } from "micromark";
import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";
import { decodeAddress } from "../addresses.ts";
import { charsetOf, decodeText } from "./decode-text.ts";
import type { Format } from "./document-format.ts";
import { collapse, type PageText, UnreadablePage } from "./page-text.ts";
import { readHtml } from "./read-html.ts";
import { readPdf } from "./read-pdf.ts";

/** A novel: to store more at a time would take too much memory. */
const mostCharacters = 2_000_000;

/** A megabyte is parsed in seconds, and is a book. */
const mostMarkdown = 1_000_000;

export interface DocumentBytes {
  readonly bytes: Uint8Array;
  readonly format: Format;
  readonly url: string;
  readonly contentType?: string | undefined;
}

/** What a document of any format says. */
export async function readDocument(document: DocumentBytes, signal: AbortSignal): Promise<PageText> {
  const { bytes, format, url } = document;
  const { pathname, host } = new URL(url);
  const name = decodeAddress(pathname.split("/").at(-1) ?? "").replace(/\.\w+$/, "");
  const fallback = collapse(name.replaceAll(/[_-]+/g, " ")) || host;
  if (format === "pdf") return limited(await readPdf(bytes, fallback, signal));
  const text = decodeText(bytes, charsetOf(document.contentType));
  const page =
    format === "html" ? readHtml(text, url) : format === "markdown" ? readMarkdown(text, url) : readText(text);
  return limited(page.title === "" ? { ...page, title: fallback } : page);
}

function limited(page: PageText): PageText {
  if (page.blocks.reduce((sum, { text }) => sum + text.length, 0) <= mostCharacters) return page;
  throw tooLarge("Its text", mostCharacters);
}

function tooLarge(what: string, most: number): UnreadablePage {
  return new UnreadablePage("too_large", `${what} has more than ${most.toLocaleString("en")} characters.`);
}

/** Markdown becomes HTML first, so that one reader finds blocks, headings and what is to be left out. */
function readMarkdown(source: string, url: string): PageText {
  if (source.length > mostMarkdown) throw tooLarge("The Markdown", mostMarkdown);
  const front = /^---\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[^\S\n]*(?:\r?\n|$)/.exec(source);
  const named = collapse(/^title:(.*)$/m.exec(front?.[1] ?? "")?.[1] ?? "");
  const title = /^(["']).*\1$/.test(named) ? named.slice(1, -1) : named;
  const body = source
    .slice(front?.[0].length ?? 0)
    // No person nests quotes and lists so deep.
    .replaceAll(/^[ \t>*+\d.)-]{200,}/gm, (markers) => markers.slice(0, 200))
    // Site builders give a heading its id so.
    .replaceAll(/^(#{1,6} .*)\{#([\w.-]+)\}[^\S\n]*$/gm, '$1 <a id="$2"></a>');
  const html = micromark(body, {
    allowDangerousHtml: true,
    extensions: [gfmTable()],
    htmlExtensions: [gfmTableHtml()],
  });
  return readHtml(html, url, title);
}

/** A first line that stands alone and is short is the title. */
function readText(source: string): PageText {
  const paragraphs = source
    .replaceAll("\r\n", "\n")
    .split(/\n[^\S\n]*\n\s*/)
    .map(collapse)
    .filter((text) => text !== "");
  const [first = ""] = paragraphs;
  const hasTitle = paragraphs.length > 1 && first.length <= 100 && !first.includes("\n");
  const blocks = paragraphs.slice(hasTitle ? 1 : 0).map((text) => ({ kind: "text" as const, text }));
  return { title: hasTitle ? first : "", blocks, linksAlone: false, noindex: false };
}
