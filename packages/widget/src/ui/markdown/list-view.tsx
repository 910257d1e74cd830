import type { ListItem } from "mdast";
import { memo } from "react";
import type { ListBlock } from "../../markdown/block.ts";
import { inOrder } from "./in-order.ts";
import { ListFrame } from "./list-frame.tsx";
import { renderListItem } from "./render-node.tsx";

export function ListView({ block: { ordered, start, loose, items } }: { readonly block: ListBlock }) {
  return (
    <ListFrame ordered={ordered} start={start} loose={loose}>
      {inOrder(items, (group) => (
        <ItemGroup items={group} />
      ))}
    </ListFrame>
  );
}

const ItemGroup = memo(function ItemGroup({ items }: { readonly items: readonly ListItem[] }) {
  return inOrder(items, (item) => <Item item={item} />);
});

const Item = memo(function Item({ item }: { readonly item: ListItem }) {
  return renderListItem(item);
});
