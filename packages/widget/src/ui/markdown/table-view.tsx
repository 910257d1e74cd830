import type { AlignType, TableRow } from "mdast";
import { memo } from "react";
import type { TableBlock } from "../../markdown/block.ts";
import { inOrder } from "./in-order.ts";
import { renderTableHead, renderTableRow } from "./render-node.tsx";
import { TableFrame } from "./table-frame.tsx";

export function TableView({ block: { align, head, rows } }: { readonly block: TableBlock }) {
  return (
    <TableFrame head={head && renderTableHead(head, align)}>
      {inOrder(rows, (group) => (
        <RowGroup rows={group} align={align} />
      ))}
    </TableFrame>
  );
}

interface Aligned {
  /** As the columns of the head are aligned. */
  readonly align: readonly AlignType[];
}

const RowGroup = memo(
  function RowGroup({ rows, align }: Aligned & { readonly rows: readonly TableRow[] }) {
    return inOrder(rows, (row) => <Row row={row} align={align} />);
  },
  (before, after) => before.rows === after.rows,
);

const Row = memo(
  function Row({ row, align }: Aligned & { readonly row: TableRow }) {
    return renderTableRow(row, align);
  },
  (before, after) => before.row === after.row,
);
