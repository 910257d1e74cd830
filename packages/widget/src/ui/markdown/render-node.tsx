/** Markdown's nodes as React elements. HTML is text like any other: nothing of it is interpreted. */
import type { ListItem, RootContent, Table } from "mdast";
import { createElement } from "react";
import type { ReactNode } from "react";
import { NestedCode } from "./code-block-view.tsx";
import { fillElement } from "./fill-words.ts";
import { FootnoteMark } from "./footnote-mark.tsx";
import { inOrder } from "./in-order.ts";
import { MarkdownImage } from "./markdown-image.tsx";
import { TableFrame } from "./table-frame.tsx";
import { TaskMark } from "./task-mark.tsx";
import { isPlain, rowOf, wordsOf } from "./words.ts";
import type { PlainElement, ShownNode, Word, WordElement } from "./words.ts";

export function renderNode(node: RootContent): ReactNode {
  const make = () => wordsOf([node])[0];
  const word = make();
  // The element is made again when it is filled, so that the node alone is kept.
  return word && isElement(word) ? renderElement(() => make() as WordElement) : word && renderWord(word, 0);
}

export function renderNodes(nodes: readonly RootContent[]): ReactNode {
  return inOrder(wordsOf(nodes), renderWord);
}

/**
 * An element, filled without React unless a component stands in it.
 *
 * @param make gives the element, anew when it is to be filled: it is not kept
 * @param at its place among its siblings
 */
export function renderElement(make: () => WordElement, at = 0): ReactNode {
  const made = make();
  const { tag, attributes, words } = made;
  // The key parts the two kinds: React would add its own elements to those that it does not know.
  if (!isPlain(made)) return createElement(tag, { ...attributes, key: at }, inOrder(words, renderWord));
  return createElement(tag, {
    ...attributes,
    ref: (element: Element | null) => element && fillElement(element, make() as PlainElement),
  });
}

function renderWord(word: Word, at: number): ReactNode {
  if (isElement(word)) return renderElement(() => word, at);
  return typeof word === "string" ? word : renderShown(word, at);
}

function isElement(word: Word): word is WordElement {
  return typeof word !== "string" && "tag" in word;
}

function renderShown(node: ShownNode, at: number): ReactNode {
  switch (node.type) {
    case "image":
      return <MarkdownImage node={node} />;
    case "footnoteReference":
      return <FootnoteMark node={node} />;
    case "code":
      return <NestedCode language={node.lang ?? undefined} code={node.value} />;
    case "table":
      return renderTable(node);
    case "listItem":
      return renderTask(node, at);
    default:
      return node satisfies never;
  }
}

/** Its key parts it from an item that is no task yet, and was filled without React. */
function renderTask({ checked, children }: ListItem, at: number): ReactNode {
  return (
    <li key={at} className="task">
      <TaskMark checked={checked === true} />
      {renderNodes(children)}
    </li>
  );
}

function renderTable({ align, children }: Table): ReactNode {
  const [head, ...rows] = children;
  return (
    <TableFrame head={head && renderElement(() => rowOf(head, align ?? [], "th"))}>
      {rows[0] && inOrder(rows, (row, at) => renderElement(() => rowOf(row, align ?? [], "td"), at))}
    </TableFrame>
  );
}
