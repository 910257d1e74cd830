import { useEffect } from "react";
import type { RefObject } from "react";

/**
 * Marks an element that scrolls sideways. `data-overflow` names the edges (`start`, `end`, `both`) beyond which content is
 * hidden: the styles fade them. The element can be focused, and so scrolled by keys, only while content is hidden.
 */
export function useScrollEdges(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const update = () => markEdges(element);
    const observer = new ResizeObserver(update);
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    element.addEventListener("scroll", update, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", update);
    };
  }, [scroller]);
}

function markEdges(element: HTMLElement): void {
  const hidden = element.scrollWidth - element.clientWidth;
  // Negative in a text that is read from right to left.
  const scrolled = Math.abs(element.scrollLeft);
  const edges = [scrolled > 1 && "start", hidden - scrolled > 1 && "end"].filter(Boolean);
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
