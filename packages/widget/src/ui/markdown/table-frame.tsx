import { use, useRef } from "react";
import type { ReactNode } from "react";
import { MessagePlaceContext, useChat } from "../chat-context.tsx";
import { useScrollEdges } from "../primitives/use-scroll-edges.ts";

/**
 * A table that scrolls sideways inside a frame as wide as the thread.
 *
 * @param children the rows of its body; none while only the head has been written
 */
export function TableFrame({ head, children }: { readonly head: ReactNode; readonly children: ReactNode }) {
  const scroller = useRef<HTMLDivElement>(null);
  const { TableTools } = use(MessagePlaceContext);
  useScrollEdges(scroller, useChat().words.markdown.table);
  return (
    <div ref={scroller} className="table-scroll">
      <table>
        <thead>{head}</thead>
        {children && <tbody>{children}</tbody>}
      </table>
      {TableTools && <TableTools frame={scroller} />}
    </div>
  );
}
