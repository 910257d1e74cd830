import type { AlignType, TableRow } from "mdast";
import { memo } from "react";
import type { TableBlock } from "../../markdown/block.ts";
import { rowMarkup } from "./markup.ts";
import { renderList } from "./render-list.ts";
import { renderElement } from "./render-node.tsx";
import { TableFrame } from "./table-frame.tsx";

export function TableView({ block: { align, head, rows } }: { readonly block: TableBlock }) {
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
