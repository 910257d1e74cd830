import { useEffect } from "react";
import type { RefObject } from "react";
import { VIEW_MEASURED_MS } from "../../timings.ts";
import { markEdges } from "../primitives/use-scroll-edges.ts";

/**
 * Makes a view of the host's own usable by keys while it is too wide. Its container keeps the width of the thread, whatever
 * is in it, so its changes are watched, too.
 *
 * @param slot in which the container stands; the element around it scrolls
 */
export function useViewEdges(slot: RefObject<HTMLSlotElement | null>, label: string): void {
  useEffect(() => {
    const { current } = slot;
    const frame = current?.parentElement;
    if (!frame) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = () => {
      timer = undefined;
      markEdges(frame, label);
    };
    const resizes = new ResizeObserver(update);
    const changes = new MutationObserver(() => {
      timer ??= setTimeout(update, VIEW_MEASURED_MS);
    });
    const watch = () => {
      resizes.disconnect();
      changes.disconnect();
      for (const element of [frame, ...current.assignedElements()]) resizes.observe(element);
      for (const container of current.assignedElements()) {
        changes.observe(container, { subtree: true, childList: true, attributes: true, characterData: true });
      }
    };
    watch();
    current.addEventListener("slotchange", watch);
    frame.addEventListener("scroll", update, { passive: true });
    return () => {
      clearTimeout(timer);
      resizes.disconnect();
      changes.disconnect();
      current.removeEventListener("slotchange", watch);
      frame.removeEventListener("scroll", update);
    };
  }, [slot, label]);
}
