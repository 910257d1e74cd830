/**
 * Markdown's nodes as React elements: components, and the elements that contain one. patch-element.ts writes static content;
 * see markup.ts. HTML in markdown is shown as text.
 */
import type { ListItem, RootContent, Table, FootnoteReference, Image } from "mdast";
import { createElement, memo, useLayoutEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { NestedCode } from "./code-block-view.tsx";
import { isStatic, markupOf, rowMarkup, linkMarkup } from "./markup.ts";
import type { ComponentNode, Markup, MarkupElement, StaticElement } from "./markup.ts";
import { patchElement } from "./patch-element.ts";
import { renderList } from "./render-list.ts";
import { TableFrame } from "./table-frame.tsx";
import { followFragment } from "./follow-fragment.ts";
import { useFootnotes } from "./footnotes-context.tsx";
import { useChat, useChatState } from "../chat-context.tsx";
import { useScrollEdges } from "../primitives/use-scroll-edges.ts";
import { mathCode } from "./math-code.ts";
import { safeImage } from "../../markdown/safe-link.ts";

export function renderNode(node: RootContent): ReactNode {
  const makeMarkup = () => markupOf([node])[0];
  const markup = makeMarkup();
  return markup && isElement(markup)
    ? renderElement(() => makeMarkup() as MarkupElement)
    : markup && renderMarkup(markup, 0);
}

export function renderNodes(nodes: readonly RootContent[]): ReactNode {
  return renderList(markupOf(nodes), renderMarkup);
}

/**
 * @param makeElement called to render, and again to write a static element to the page; the markup is created twice so that it
 * is not kept in memory
 * @param index the index among its siblings
 */
export function renderElement(makeElement: () => MarkupElement, index = 0): ReactNode {
  const element = makeElement();
  const { tag, attributes, children } = element;
  // The key changes when a static element gets a component inside. Otherwise React would add its children to those that it does
  // not know.
  if (!isStatic(element)) return createElement(tag, { ...attributes, key: index }, renderList(children, renderMarkup));
  return createElement(tag, {
    ...attributes,
    ref: (mounted: Element | null) => mounted && patchElement(mounted, makeElement() as StaticElement),
  });
}

function renderMarkup(markup: Markup, index: number): ReactNode {
  if (isElement(markup)) return renderElement(() => markup, index);
  return typeof markup === "string" ? markup : renderComponent(markup, index);
}

function isElement(markup: Markup): markup is MarkupElement {
  return typeof markup !== "string" && "tag" in markup;
}

function renderComponent(node: ComponentNode, index: number): ReactNode {
  switch (node.type) {
    case "image":
      return <MarkdownImage node={node} />;
    case "footnoteReference":
      return <FootnoteMark node={node} />;
    case "math":
      return <Formula source={node.value} />;
    case "code":
      return <NestedCode language={node.lang ?? undefined} code={node.value} />;
    case "table":
      return renderTable(node);
    case "listItem":
      return renderTask(node, index);
    default:
      return node satisfies never;
  }
}

/** The key differs from that of the static item that existed before its checkbox was written. */
function renderTask({ checked, children }: ListItem, index: number): ReactNode {
  return (
    <li key={index} className="task">
      <TaskMark checked={checked === true} />
      {renderNodes(children)}
    </li>
  );
}

function renderTable({ align, children }: Table): ReactNode {
  const [head, ...rows] = children;
  return (
    <TableFrame head={head && renderElement(() => rowMarkup(head, align ?? [], "th"))}>
      {rows[0] && renderList(rows, (row, index) => renderElement(() => rowMarkup(row, align ?? [], "td"), index))}
    </TableFrame>
  );
}

/** The number of a footnote in the text, a link to it. */
function FootnoteMark({ node }: { readonly node: FootnoteReference }) {
  const { numbers, firsts, noteId, markId } = useFootnotes();
  const { identifier } = node;
  return (
    <sup className="footnote-mark">
      <a
        href={`#${noteId(identifier)}`}
        id={firsts.has(node) ? markId(identifier) : undefined}
        role="doc-noteref"
        onClick={followFragment}
      >
        {numbers.get(identifier)}
      </a>
    </sup>
  );
}

/** A formula. Its element is created once for its source. An incomplete or invalid formula is shown as its source. */
const Formula = memo(function Formula({ source }: { readonly source: string }) {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (place.current) mathCode()?.showFormula(place.current, source);
  }, [source]);
  useScrollEdges(place, useChat().words.markdown.formula);
  return <span ref={place} dir="ltr" />;
});

/** A picture from a host that the config names. Any other picture, and one that does not load, is shown as a link. */
function MarkdownImage({ node: { url, alt, title } }: { readonly node: Image }) {
  const hosts = useChatState((state) => state.config.imageHosts);
  const [failed, setFailed] = useState<string>();
  const src = safeImage(url, hosts);
  if (src !== undefined && src !== failed) {
    return (
      <img
        className="markdown-image"
        src={src}
        alt={alt ?? ""}
        title={title ?? undefined}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        onError={() => setFailed(src)}
      />
    );
  }
  const link = linkMarkup(url, title, []);
  const text = alt || url;
  return "tag" in link ? createElement(link.tag, link.attributes, text) : text;
}

/** The checkbox of a task. The visitor cannot change it. */
function TaskMark({ checked }: { readonly checked: boolean }) {
  const { words } = useChat();
  return (
    <input
      type="checkbox"
      className="task-mark"
      checked={checked}
      disabled
      aria-label={checked ? words.markdown.taskDone : words.markdown.taskOpen}
    />
  );
}
