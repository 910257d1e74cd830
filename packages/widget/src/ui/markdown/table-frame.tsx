import { useRef } from "react";
import type { ReactNode } from "react";
import { useScrollEdges } from "./use-scroll-edges.ts";

/**
 * A table that scrolls inside itself: the page never grows wider than the thread.
 *
 * @param children its rows; none while the head is the last of what has been written
 */
export function TableFrame({ head, children }: { readonly head: ReactNode; readonly children: ReactNode }) {
  const scroller = useRef<HTMLDivElement>(null);
  useScrollEdges(scroller);
  return (
    <div ref={scroller} className="table-scroll">
      <table>
        <thead>{head}</thead>
        {children && <tbody>{children}</tbody>}
      </table>
    </div>
  );
}
