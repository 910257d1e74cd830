/** Markdown's nodes as React elements. HTML is text like any other: nothing of it is interpreted. */
import type { AlignType, List, ListItem, RootContent, Table, TableRow } from "mdast";
import type { ReactNode } from "react";
import { isLoose } from "../../markdown/block.ts";
import { pendingUrl } from "../../markdown/calm-inline.ts";
import { safeLink } from "../../markdown/safe-url.ts";
import { NestedCode } from "./code-block-view.tsx";
import { FootnoteMark } from "./footnote-mark.tsx";
import { inOrder } from "./in-order.ts";
import { ListFrame } from "./list-frame.tsx";
import { MarkdownImage } from "./markdown-image.tsx";
import { TableFrame } from "./table-frame.tsx";
import { TaskMark } from "./task-mark.tsx";

/** @param inLink a link stands around the node: links and pictures in it are their text */
export function renderNodes(nodes: readonly RootContent[], inLink = false): ReactNode {
  const [first] = nodes;
  // A text alone becomes its parent's content, without a node of React's own.
  if (nodes.length === 1 && first?.type === "text") return first.value;
  return inOrder(nodes, (node) => renderNode(node, inLink));
}

export function renderNode(node: RootContent, inLink = false): ReactNode {
  switch (node.type) {
    case "text":
      return node.value;
    case "paragraph":
      return <p>{renderNodes(node.children)}</p>;
    case "strong":
      return <strong>{renderNodes(node.children, inLink)}</strong>;
    case "emphasis":
      return <em>{renderNodes(node.children, inLink)}</em>;
    case "delete":
      return <del>{renderNodes(node.children, inLink)}</del>;
    case "inlineCode":
      return <code>{node.value}</code>;
    case "break":
      return <br />;
    case "link": {
      const content = renderNodes(node.children, true);
      return inLink ? content : renderLink(node.url, node.title, content);
    }
    case "image":
      return inLink ? node.alt || node.url : <MarkdownImage node={node} />;
    case "html":
      return <span className="markdown-source">{node.value}</span>;
    case "heading": {
      const Heading = `h${node.depth}` as const;
      return <Heading>{renderNodes(node.children)}</Heading>;
    }
    case "blockquote":
      return <blockquote>{renderNodes(node.children)}</blockquote>;
    case "thematicBreak":
      return <hr />;
    case "list":
      return renderList(node);
    case "listItem":
      return renderListItem(node);
    case "code":
      return <NestedCode language={node.lang ?? undefined} code={node.value} />;
    case "table":
      return renderTable(node);
    case "tableRow":
      return renderTableRow(node, []);
    case "tableCell":
      return renderNodes(node.children);
    case "footnoteReference":
      return <FootnoteMark node={node} />;
    case "linkReference":
      return renderNodes(node.children, inLink);
    case "imageReference":
      return node.alt;
    case "definition":
    case "footnoteDefinition":
    case "yaml":
      return null;
    default:
      return node satisfies never;
  }
}

export function renderListItem({ checked, children }: ListItem): ReactNode {
  if (typeof checked !== "boolean") return <li>{renderNodes(children)}</li>;
  return (
    <li className="task">
      <TaskMark checked={checked} />
      {renderNodes(children)}
    </li>
  );
}

export function renderTableRow({ children }: TableRow, align: readonly AlignType[]): ReactNode {
  return (
    <tr>
      {inOrder(children, (cell, index) => (
        <td data-align={align[index] ?? undefined}>{renderNodes(cell.children)}</td>
      ))}
    </tr>
  );
}

export function renderTableHead({ children }: TableRow, align: readonly AlignType[]): ReactNode {
  return (
    <tr>
      {inOrder(children, (cell, index) => (
        <th scope="col" data-align={align[index] ?? undefined}>
          {renderNodes(cell.children)}
        </th>
      ))}
    </tr>
  );
}

function renderList(list: List): ReactNode {
  return (
    <ListFrame ordered={list.ordered === true} start={list.start ?? undefined} loose={isLoose(list)}>
      {renderNodes(list.children)}
    </ListFrame>
  );
}

function renderTable({ align, children }: Table): ReactNode {
  const [head, ...rows] = children;
  return (
    <TableFrame head={head && renderTableHead(head, align ?? [])}>
      {inOrder(rows, (row) => renderTableRow(row, align ?? []))}
    </TableFrame>
  );
}

function renderLink(url: string, title: string | null | undefined, content: ReactNode): ReactNode {
  if (url === pendingUrl) return <span className="markdown-link">{content}</span>;
  const href = safeLink(url);
  if (href === undefined) return content;
  return (
    <a className="markdown-link" href={href} title={title ?? undefined} target="_blank" rel="noopener noreferrer">
      {content}
    </a>
  );
}
