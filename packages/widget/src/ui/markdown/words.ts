/** Markdown's nodes as elements and the words in them: what React and the browser are both told from. */
import type { AlignType, Code, FootnoteReference, Image, ListItem, RootContent, Table, TableRow } from "mdast";
import { isLoose } from "../../markdown/block.ts";
import { pendingUrl } from "../../markdown/close-inline.ts";
import { safeLink } from "../../markdown/safe-link.ts";

/** A run of text, an element of words, or a node that a component shows. */
export type Word = string | WordElement | ShownNode;

export interface WordElement {
  readonly tag: string;
  /** By the names that React has for them. */
  readonly attributes: Readonly<Record<string, string | number | true | undefined>>;
  readonly words: readonly Word[];
}

/** Words through and through. */
export interface PlainElement extends WordElement {
  readonly words: readonly PlainWord[];
}

export type PlainWord = string | PlainElement;

/** A node that does something, or whose looks depend on more than itself. A list's item is one when it is a task. */
export type ShownNode = Image | FootnoteReference | Code | Table | ListItem;

type Attributes = WordElement["attributes"];

/** Nodes that are an element and what they hold, and nothing else. */
const tags = {
  paragraph: "p",
  blockquote: "blockquote",
  thematicBreak: "hr",
  strong: "strong",
  emphasis: "em",
  delete: "del",
  break: "br",
  tableRow: "tr",
  tableCell: "td",
} as const;

/** @param inLink a link stands around the nodes: links and pictures in it are their text */
export function wordsOf(nodes: readonly RootContent[], inLink = false): readonly Word[] {
  return nodes.flatMap((node) => wordsOfNode(node, inLink));
}

export function rowOf({ children }: TableRow, align: readonly AlignType[], tag: "td" | "th"): WordElement {
  const scope = tag === "th" ? "col" : undefined;
  const cells = children.map((cell, index) =>
    element(tag, wordsOf(cell.children), { scope, "data-align": align[index] ?? undefined }),
  );
  return element("tr", cells);
}

/** Whether no word of it needs a component. */
export function isPlain(word: Word): word is PlainWord {
  return typeof word === "string" || ("tag" in word && word.words.every(isPlain));
}

function wordsOfNode(node: RootContent, inLink: boolean): Word | readonly Word[] {
  switch (node.type) {
    case "text":
      return node.value;
    case "heading":
      return element(`h${node.depth}`, wordsOf(node.children));
    case "list":
      return element(node.ordered ? "ol" : "ul", wordsOf(node.children), listAttributes(node, isLoose(node)));
    case "listItem":
      return typeof node.checked === "boolean" ? node : element("li", wordsOf(node.children));
    case "inlineCode":
      return element("code", [node.value]);
    case "html":
      return element("span", [node.value], { className: "markdown-source" });
    case "link": {
      const words = wordsOf(node.children, true);
      return inLink ? words : linkTo(node.url, node.title, words);
    }
    case "linkReference":
      return wordsOf(node.children, inLink);
    case "imageReference":
      return node.alt ?? [];
    case "image":
      return inLink ? node.alt || node.url : node;
    case "footnoteReference":
    case "code":
    case "table":
      return node;
    case "definition":
    case "footnoteDefinition":
    case "yaml":
      return [];
    default:
      return element(tags[node.type], "children" in node ? wordsOf(node.children, inLink) : []);
  }
}

export function listAttributes({ start }: { readonly start?: number | null | undefined }, loose: boolean): Attributes {
  return { start: start === 1 ? undefined : (start ?? undefined), "data-loose": loose || undefined };
}

/** A link that opens in a new tab; of an address that is not allowed, only its words. */
export function linkTo(
  url: string,
  title: string | null | undefined,
  words: readonly Word[],
): WordElement | readonly Word[] {
  const className = "markdown-link";
  if (url === pendingUrl) return element("span", words, { className });
  const href = safeLink(url);
  if (href === undefined) return words;
  return element("a", words, {
    className,
    href,
    title: title ?? undefined,
    target: "_blank",
    rel: "noopener noreferrer",
  });
}

function element(tag: string, words: readonly Word[], attributes: Attributes = {}): WordElement {
  return { tag, attributes, words };
}
