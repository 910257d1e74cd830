import { memo } from "react";
import type { Block } from "../../markdown/block.ts";
import { CodeBlockView } from "./code-block-view.tsx";
import { ListView } from "./list-view.tsx";
import { renderNode } from "./render-node.tsx";
import { TableView } from "./table-view.tsx";

/** One block of a text. It renders again only when the block is another object. */
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
