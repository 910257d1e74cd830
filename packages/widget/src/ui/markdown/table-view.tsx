import type { AlignType, TableRow } from "mdast";
import { memo } from "react";
import type { TableBlock } from "../../markdown/block.ts";
import { inOrder } from "./in-order.ts";
import { renderElement } from "./render-node.tsx";
import { TableFrame } from "./table-frame.tsx";
import { rowOf } from "./words.ts";

export function TableView({ block: { align, head, rows } }: { readonly block: TableBlock }) {
  return (
    <TableFrame head={head && renderElement(() => rowOf(head, align, "th"))}>
      {rows[0] && inOrder(rows, (group) => <RowGroup rows={group} align={align} />)}
    </TableFrame>
  );
}

const RowGroup = memo(
  function RowGroup({ rows, align }: { readonly rows: readonly TableRow[]; readonly align: readonly AlignType[] }) {
    return inOrder(rows, (row, at) => renderElement(() => rowOf(row, align, "td"), at));
  },
  (before, after) => before.rows === after.rows,
);
