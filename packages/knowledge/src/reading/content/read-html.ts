import type { DefaultTreeAdapterTypes } from "parse5";
import { attribute, type Element, parseHtml, setOf, textOf, visitTree } from "./html-tree.ts";
import { type Furniture, findFurniture, headingLevel } from "./page-furniture.ts";
import { type Block, collapse, forbidsIndexing, type PageText } from "./page-text.ts";

const blockElements = setOf(
  "address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure form h1 h2 h3 h4 h5 h6 header hgroup hr li main ol p pre section summary table tbody td tfoot th thead tr ul",
);

/** The text of an HTML page at `url`, which tells its title itself unless `knownTitle` does. */
export function readHtml(html: string, url: string, knownTitle = ""): PageText {
  const document = parseHtml(html);
  const head = readHead(document, url);
  const furniture = findFurniture(document);
  const blocks = readBlocks(document, furniture);
  const title = knownTitle === "" ? titleOf(head, blocks) : knownTitle;
  const isTitle = (block: Block): boolean => block.kind === "heading" && plain(block.text) === plain(title);
  const first = blocks.findIndex((block) => block.kind === "heading");
  const heading = blocks[first];
  return {
    title,
    ...(head.language === undefined ? {} : { language: head.language }),
    blocks: heading !== undefined && isTitle(heading) ? blocks.filter((_, at) => at !== first) : blocks,
    linksAlone: furniture.letters > 0 && !blocks.some((block) => block.kind !== "heading"),
    noindex: head.noindex,
    ...(head.canonical === undefined ? {} : { canonical: head.canonical }),
  };
}

interface Head {
  title: string;
  siteName: string;
  noindex: boolean;
  language?: string;
  canonical?: string;
}

function readHead(document: DefaultTreeAdapterTypes.Document, url: string): Head {
  const head: Head = { title: "", siteName: "", noindex: false };
  let base = url;
  let canonical: string | undefined;
  visitTree(document, {
    enter(element) {
      const { tagName } = element;
      if (tagName === "svg") return false;
      if (tagName === "html") {
        const language = (attribute(element, "lang") ?? attribute(element, "xml:lang"))?.trim();
        if (language !== undefined && /^[a-z]{2,3}\b/i.test(language)) head.language = language;
      }
      if (tagName === "title" && head.title === "") head.title = collapse(textOf(element).replaceAll("\n", " "));
      if (tagName === "base" && base === url) base = URL.parse(attribute(element, "href") ?? "", url)?.href ?? url;
      if (tagName === "link" && /(^|\s)canonical(\s|$)/i.test(attribute(element, "rel") ?? "")) {
        canonical ??= attribute(element, "href");
      }
      if (tagName === "meta") readMeta(element, head);
      return true;
    },
  });
  const address = canonical === undefined ? undefined : URL.parse(canonical.trim(), base)?.href;
  return { ...head, ...(address === undefined ? {} : { canonical: address }) };
}

function readMeta(element: Element, head: Head): void {
  const name = (attribute(element, "name") ?? attribute(element, "property") ?? "").toLowerCase();
  const content = attribute(element, "content") ?? "";
  if ((name === "robots" || name === "nitkabot") && forbidsIndexing(content)) head.noindex = true;
  if (name === "og:site_name") head.siteName = collapse(content);
  if (name === "og:title" && head.title === "") head.title = collapse(content);
}

/**
 * A page's first `h1` names it best, unless it names the site: then it is the last part of the title, or its `og:site_name`.
 * Without an `h1` the title loses the site's name.
 */
function titleOf(head: Head, blocks: readonly Block[]): string {
  const first = blocks.find((block) => block.kind === "heading" && block.level === 1)?.text.replaceAll("\n", " ") ?? "";
  const parts = head.title.split(/\s+[|·•»–—-]\s+/);
  const last = parts.at(-1) ?? "";
  const isSite = (text: string): boolean =>
    plain(text) === plain(head.siteName) || (parts.length > 1 && plain(text) === plain(last));
  if (first !== "" && !isSite(first)) return first;
  if (parts.length > 1 && (plain(last) === plain(head.siteName) || plain(last) === plain(first))) {
    return head.title.slice(0, head.title.lastIndexOf(last)).replace(/\s+[|·•»–—-]\s+$/, "");
  }
  return head.title === "" ? first : head.title;
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Writes the blocks of a page in its order. */
function readBlocks(document: DefaultTreeAdapterTypes.Document, furniture: Furniture): readonly Block[] {
  const blocks: Block[] = [];
  const buffer: string[] = [];
  /** The cells of the row that is open, inside of a table with data. */
  let cells: string[] | undefined;
  const open = { tables: 0, pre: 0, header: 0, heading: 0 };
  let anchor: string | undefined;
  /** No text has come since the element with `anchor`. */
  let isFresh = false;
  let blockAnchor: string | undefined;
  let isBlank = true;

  const flush = (kind: "text" | "row" | "code" | "heading", level = 0): void => {
    const raw = buffer.join("");
    buffer.length = 0;
    isBlank = true;
    const text = kind === "code" ? trimCode(raw) : collapse(raw);
    const at = blockAnchor === undefined ? {} : { anchor: blockAnchor };
    if (/[\p{L}\p{N}]/u.test(text)) {
      blocks.push(kind === "heading" ? { kind, level, text: withoutMark(text), ...at } : { kind, text, ...at });
    }
  };
  const note = (element: Element): void => {
    const name = element.tagName === "a" ? attribute(element, "name") : undefined;
    const id = (attribute(element, "id") ?? name ?? "").trim();
    // Ids that begin with a colon are a framework's, and other ones after each build.
    if (id === "" || id.length > 200 || /^:|\s/.test(id) || (open.heading > 0 && anchor !== undefined)) return;
    anchor = id;
    isFresh = true;
  };

  visitTree(document, {
    enter(element) {
      const { tagName } = element;
      if (furniture.isLeftOut(element)) return false;
      if (tagName === "br") buffer.push("\n");
      if (blockElements.has(tagName) && open.pre === 0 && open.heading === 0) {
        if (cells === undefined) flush("text");
        else buffer.push(" ");
      } else if (open.pre > 0 && blockElements.has(tagName) && !buffer.at(-1)?.endsWith("\n")) {
        buffer.push("\n");
      }
      const level = headingLevel(element);
      if (level > 0 && open.heading === 0 && !isFresh) anchor = undefined;
      note(element);
      if (level > 0) open.heading += 1;
      if (tagName === "header") open.header += 1;
      if (tagName === "pre") open.pre += 1;
      if (tagName === "table" && !furniture.isLayout(element)) open.tables += 1;
      if (tagName === "tr" && open.tables > 0) cells = [];
      return true;
    },
    leave(element) {
      const { tagName } = element;
      const level = headingLevel(element);
      if (level > 0) open.heading -= 1;
      if (tagName === "header") open.header -= 1;
      if (tagName === "table" && !furniture.isLayout(element)) open.tables -= 1;
      if (tagName === "pre") {
        open.pre -= 1;
        if (open.pre === 0) flush("code");
      } else if (level > 0 && open.heading === 0) {
        blockAnchor = anchor;
        flush("heading", level);
      } else if (cells !== undefined && (tagName === "td" || tagName === "th")) {
        const cell = collapse(buffer.join("").replaceAll("\n", " "));
        buffer.length = 0;
        isBlank = true;
        if (cell !== "") cells.push(cell);
      } else if (cells !== undefined && tagName === "tr") {
        buffer.push(cells.join(" | "));
        cells = undefined;
        flush("row");
      } else if (blockElements.has(tagName) && open.pre === 0 && open.heading === 0 && cells === undefined) {
        flush("text");
      }
    },
    text(text) {
      if (open.header > 0 && open.heading === 0) return;
      if (/\S/.test(text)) {
        if (isBlank && (cells?.length ?? 0) === 0) blockAnchor = anchor;
        isBlank = false;
        isFresh = false;
      }
      buffer.push(open.pre > 0 ? text : text.replaceAll("\n", " "));
    },
  });
  flush("text");
  return blocks;
}

/** Headings often end with a sign that links to themselves. */
const withoutMark = (heading: string): string =>
  heading
    .replaceAll("\n", " ")
    .replace(/(?<![¶#§🔗])[¶#§🔗]+$/u, "")
    .trimEnd();

function trimCode(raw: string): string {
  const lines = raw
    .replaceAll("\r", "")
    .split("\n")
    .map((line) => line.trimEnd());
  return lines.join("\n").replace(/^\n+/, "").trimEnd();
}
