/**
 * Markdown's nodes as elements of the page. This is the only table of node kinds, and both renderers use it.
 *
 * There are two renderers because a long answer has thousands of inline elements, and React's record of an element takes more
 * memory than its text. So React only renders what needs React:
 *
 * - *Static* markup, which is text and elements of static markup, is one React element without children; patch-element.ts
 *   writes its content.
 * - An element that contains a component (a picture, a footnote mark, a task, a table, nested code) is rendered by
 *   render-node.tsx, down to the component. Its static children are static again.
 *
 * To add a kind of node:
 *
 * - An element: a line in `tags`, or a case in `markupOfNode`. Both renderers then support it.
 * - A component: `ComponentNode` and a case in `markupOfNode` here, and a case in `renderComponent` of render-node.tsx.
 *   patch-element.ts never gets a component.
 */
import type { AlignType, Code, FootnoteReference, Image, ListItem, RootContent, Table, TableRow } from "mdast";
import { isLoose } from "../../markdown/block.ts";
import { pairedTag, pendingUrl } from "../../markdown/close-inline.ts";
import type { MathNode } from "../../markdown/math/math-node.ts";
import { safeLink } from "../../markdown/safe-link.ts";
import { inNewTab } from "../primitives/outward-link.tsx";

/** What a node becomes: a text, an element, or a node that a component shows. */
export type Markup = string | MarkupElement | ComponentNode;

/** An element of the page that React has not created yet. */
export interface MarkupElement {
  readonly tag: string;
  /** Under React's names, such as `className`. */
  readonly attributes: Readonly<Record<string, string | number | true | undefined>>;
  readonly children: readonly Markup[];
}

/** Markup that contains no component. patch-element.ts writes it. */
export type StaticMarkup = string | StaticElement;

export interface StaticElement extends MarkupElement {
  readonly children: readonly StaticMarkup[];
}

/**
 * A node that a component shows, because it has behaviour or depends on more than the node. A list item is one if it is a task.
 */
export type ComponentNode = Image | FootnoteReference | Code | Table | ListItem | MathNode;

type Attributes = MarkupElement["attributes"];

const wholeTag = new RegExp(`${pairedTag.source}$`);

/** The nodes that become one element with their children in it. */
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

/**
 * Converts nodes to markup.
 *
 * @param inLink whether the nodes are inside a link; links and pictures among them then become their text
 *
 * @example
 * // a **b**
 * markupOf(paragraph.children) // ["a ", { tag: "strong", attributes: {}, children: ["b"] }]
 */
export function markupOf(nodes: readonly RootContent[], inLink = false): readonly Markup[] {
  const markup: Markup[] = [];
  /** The opening tags that wait for their pair, with their positions. */
  const open: { readonly name: string; readonly at: number }[] = [];
  for (const node of nodes) {
    const [, slash, name = ""] = (node.type === "html" && wholeTag.exec(node.value)) || [];
    const pair = slash ? open.findLastIndex((each) => each.name === name) : -1;
    const { at } = open[pair] ?? {};
    if (at === undefined) {
      if (slash === "") open.push({ name, at: markup.length });
      markup.push(...[markupOfNode(node, inLink)].flat());
    } else {
      open.length = pair;
      const [, ...children] = markup.splice(at);
      markup.push(element(name, children));
    }
  }
  return markup;
}

/** A row of a table. */
export function rowMarkup({ children }: TableRow, align: readonly AlignType[], tag: "td" | "th"): MarkupElement {
  const scope = tag === "th" ? "col" : undefined;
  const cells = children.map((cell, index) =>
    element(tag, markupOf(cell.children), { scope, "data-align": align[index] ?? undefined }),
  );
  return element("tr", cells);
}

/** Whether the markup contains no component. */
export function isStatic(markup: Markup): markup is StaticMarkup {
  return typeof markup === "string" || ("tag" in markup && markup.children.every(isStatic));
}

function markupOfNode(node: RootContent, inLink: boolean): Markup | readonly Markup[] {
  switch (node.type) {
    case "text":
      return node.value;
    case "heading":
      // The page and the chat use the first two heading levels.
      return element(`h${Math.min(6, node.depth + 2)}`, markupOf(node.children), {
        "data-quiet": node.depth > 4 || undefined,
      });
    case "list":
      return element(node.ordered ? "ol" : "ul", markupOf(node.children), listAttributes(node, isLoose(node)));
    case "listItem":
      return typeof node.checked === "boolean" ? node : element("li", markupOf(node.children));
    case "citation":
      // The brackets are hidden but copied.
      return element("a", [element("span", [node.before]), node.value, element("span", ["]"])], {
        "data-citation": node.value,
        href: node.href,
        "aria-label": node.label,
        ...inNewTab,
      });
    case "inlineCode":
      return element("code", [node.value]);
    case "html":
      return sourceMarkup(node.value);
    case "link": {
      const children = markupOf(node.children, true);
      return inLink ? children : linkMarkup(node.url, node.title, children);
    }
    case "linkReference":
      return markupOf(node.children, inLink);
    case "imageReference":
      return node.alt ?? [];
    case "image":
      return inLink ? node.alt || node.url : node;
    case "footnoteReference":
    case "code":
    case "table":
    case "math":
      return node;
    case "definition":
    case "footnoteDefinition":
    case "yaml":
      return [];
    default:
      return element(tags[node.type], "children" in node ? markupOf(node.children, inLink) : []);
  }
}

/** HTML is shown as its source, except for line breaks. Comments are left out. */
function sourceMarkup(html: string): Markup | readonly Markup[] {
  const shown = html.replaceAll(/<!--[^]*?-->/g, "");
  if (shown.trim() === "") return [];
  const lines = shown.split(/<br ?\/?>/i);
  const children = lines.flatMap((line, index) => (index > 0 ? [element("br", []), line] : [line]));
  return element("span", children, { className: "markdown-source" });
}

/** The attributes of a list: its first number, unless it is 1, and whether the list is loose. */
export function listAttributes({ start }: { readonly start?: number | null | undefined }, loose: boolean): Attributes {
  return { start: start === 1 ? undefined : (start ?? undefined), "data-loose": loose || undefined };
}

/**
 * A link that opens in a new tab. While the address is still being written it is a `span` that looks like a link. If the
 * address is not allowed or is a place in the host's page, only the text remains. A title in the answer could mislead, so the
 * link's host is shown in its place.
 */
export function linkMarkup(
  url: string,
  title: string | null | undefined,
  children: readonly Markup[],
): MarkupElement | readonly Markup[] {
  const className = "markdown-link";
  if (url === pendingUrl) return element("span", children, { className });
  const href = safeLink(url);
  if (!href || href.startsWith("#")) return children;
  return element("a", children, {
    className,
    href,
    title: title && URL.canParse(href) ? new URL(href).host : undefined,
    ...inNewTab,
  });
}

function element(tag: string, children: readonly Markup[], attributes: Attributes = {}): MarkupElement {
  return { tag, attributes, children };
}
