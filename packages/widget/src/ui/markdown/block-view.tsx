import { memo, createElement } from "react";
import type { ListItem, AlignType, TableRow } from "mdast";
import type { Block, ListBlock, TableBlock } from "../../markdown/block.ts";
import { CodeBlockView } from "./code-block-view.tsx";
import { renderNode, renderElement } from "./render-node.tsx";
import { listAttributes, rowMarkup } from "./markup.ts";
import { renderList } from "./render-list.ts";
import { TableFrame } from "./table-frame.tsx";

/** One block of a text. It renders again only if the block is a different object. */
export const BlockView = memo(function BlockView({ block }: { readonly block: Block }) {
  switch (block.type) {
    case "code":
      return <CodeBlockView language={block.language} pieces={block.pieces} closed={block.closed} />;
    case "list":
      return <ListView block={block} />;
    case "table":
      return <TableView block={block} />;
    case "plain":
      return renderNode(block.node);
    default:
      return block satisfies never;
  }
});

function ListView({ block }: { readonly block: ListBlock }) {
  const items = renderList(block.items, (group) => <ItemGroup items={group} />);
  return createElement(block.ordered ? "ol" : "ul", listAttributes(block, block.loose), items);
}

const ItemGroup = memo(function ItemGroup({ items }: { readonly items: readonly ListItem[] }) {
  return renderList(items, (item) => <Item item={item} />);
});

const Item = memo(function Item({ item }: { readonly item: ListItem }) {
  return renderNode(item);
});

function TableView({ block: { align, head, rows } }: { readonly block: TableBlock }) {
  return (
    <TableFrame head={head && renderElement(() => rowMarkup(head, align, "th"))}>
      {rows[0] && renderList(rows, (group) => <RowGroup rows={group} align={align} />)}
    </TableFrame>
  );
}

const RowGroup = memo(
  function RowGroup({ rows, align }: { readonly rows: readonly TableRow[]; readonly align: readonly AlignType[] }) {
    return renderList(rows, (row, index) => renderElement(() => rowMarkup(row, align, "td"), index));
  },
  (before, after) => before.rows === after.rows,
);
