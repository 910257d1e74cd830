import { useEffect } from "react";
import type { RefObject } from "react";

/**
 * Makes a scrolling element usable by keys: while content is hidden, the element can be focused and is a group with a name.
 * `data-overflow` names the edges (`start`, `end`, `both`) beyond which content is hidden sideways, and the styles fade them.
 */
export function useScrollEdges(scroller: RefObject<HTMLElement | null>, label: string): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const update = () => markEdges(element, label);
    const observer = new ResizeObserver(update);
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    element.addEventListener("scroll", update, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", update);
    };
  }, [scroller, label]);
}

/** Marks the edges beyond which content is hidden now. */
export function markEdges(element: HTMLElement, label: string): void {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight, dataset } = element;
  const hidden = scrollWidth - clientWidth;
  // The value is negative in a right-to-left text.
  const scrolled = Math.abs(element.scrollLeft);
  const edges = [scrolled > 1 && "start", hidden - scrolled > 1 && "end"].filter(Boolean);
  const overflow = edges.length === 2 ? "both" : edges[0] || undefined;
  if (dataset["overflow"] !== overflow) {
    if (overflow === undefined) delete dataset["overflow"];
    else dataset["overflow"] = overflow;
  }
  const scrolls = hidden > 1 || scrollHeight - clientHeight > 1;
  if (scrolls === element.hasAttribute("tabindex")) return;
  for (const [name, value] of Object.entries({ tabindex: "0", role: "group", "aria-label": label })) {
    if (scrolls) element.setAttribute(name, value);
    else element.removeAttribute(name);
  }
}
