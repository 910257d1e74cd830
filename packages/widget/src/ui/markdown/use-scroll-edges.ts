import { useEffect } from "react";
import type { RefObject } from "react";

/**
 * Marks an element that scrolls sideways: `data-overflow` names the edges (`start`, `end`, `both`) beyond which something
 * is hidden, so that they fade, and the keyboard can reach it only while there is something to scroll to.
 */
export function useScrollEdges(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const mark = () => markEdges(element);
    const observer = new ResizeObserver(mark);
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    element.addEventListener("scroll", mark, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", mark);
    };
  }, [scroller]);
}

function markEdges(element: HTMLElement): void {
  const hidden = element.scrollWidth - element.clientWidth;
  const before = Math.abs(element.scrollLeft) > 1;
  const after = hidden - Math.abs(element.scrollLeft) > 1;
  const edges = [before && "start", after && "end"].filter(Boolean);
  const overflow = edges.length === 2 ? "both" : edges[0] || undefined;
  if (element.dataset["overflow"] === overflow) return;
  if (overflow === undefined) {
    delete element.dataset["overflow"];
    element.removeAttribute("tabindex");
  } else {
    element.dataset["overflow"] = overflow;
    element.tabIndex = 0;
  }
}
