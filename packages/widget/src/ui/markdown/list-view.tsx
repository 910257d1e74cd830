import type { ListItem } from "mdast";
import { createElement, memo } from "react";
import type { ListBlock } from "../../markdown/block.ts";
import { listAttributes } from "./markup.ts";
import { renderList } from "./render-list.ts";
import { renderNode } from "./render-node.tsx";

export function ListView({ block }: { readonly block: ListBlock }) {
  const items = renderList(block.items, (group) => <ItemGroup items={group} />);
  return createElement(block.ordered ? "ol" : "ul", listAttributes(block, block.loose), items);
}

const ItemGroup = memo(function ItemGroup({ items }: { readonly items: readonly ListItem[] }) {
  return renderList(items, (item) => <Item item={item} />);
});

const Item = memo(function Item({ item }: { readonly item: ListItem }) {
  return renderNode(item);
});
