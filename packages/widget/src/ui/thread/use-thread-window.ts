import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { flushSync } from "react-dom";
import { fitWindow, growDown, growUp, openWindow } from "./thread-window.ts";
import type { ThreadWindow } from "./thread-window.ts";

/** A page more is mounted when the reader is this near to the edge of what is. Pixels. */
const NEAR = 2000;

/**
 * The window over a thread of `count` messages: it moves as the reader comes near its edges, and what the reader looks
 * at stays where it is. `reopen` goes back to the newest messages and tells whether that was any way to go.
 */
export function useThreadWindow(
  viewport: RefObject<HTMLElement | null>,
  count: number,
): ThreadWindow & { readonly reopen: () => boolean } {
  const [moved, setMoved] = useState<ThreadWindow>(() => openWindow(count));
  const window = fitWindow(moved, count);
  const kept = useRef<{ readonly element: Element; readonly top: number } | undefined>(undefined);

  useLayoutEffect(() => {
    const scroller = viewport.current;
    if (!scroller || !kept.current) return;
    const { element, top } = kept.current;
    kept.current = undefined;
    const shift = element.isConnected ? element.getBoundingClientRect().top - top : 0;
    if (Math.abs(shift) >= 1) scroller.scrollBy(0, shift);
  });

  useEffect(() => {
    const scroller = viewport.current;
    if (!scroller) return undefined;
    let frame = 0;
    const look = () => {
      frame = 0;
      const next = nextWindow(scroller, window, count);
      if (!next) return;
      kept.current = firstInSight(scroller);
      // The reader goes on scrolling: between measuring and mounting nothing may come.
      flushSync(() => setMoved(next));
    };
    const soon = () => {
      if (frame === 0) frame = requestAnimationFrame(look);
    };
    soon();
    scroller.addEventListener("scroll", soon, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      scroller.removeEventListener("scroll", soon);
    };
  }, [viewport, window, count]);

  const followsEnd = !Number.isFinite(window.to);
  const reopen = useCallback(() => {
    if (followsEnd) return false;
    kept.current = undefined;
    setMoved(openWindow(count));
    return true;
  }, [followsEnd, count]);
  return { ...window, reopen };
}

function nextWindow(scroller: HTMLElement, window: ThreadWindow, count: number): ThreadWindow | undefined {
  const { scrollTop, scrollHeight, clientHeight } = scroller;
  if (clientHeight === 0) return undefined;
  if (window.from > 0 && scrollTop < NEAR) return growUp(window, count);
  if (window.to < count && scrollHeight - clientHeight - scrollTop < NEAR) return growDown(window, count);
  return undefined;
}

/** The first message that the reader sees, and where. */
function firstInSight(scroller: HTMLElement): { readonly element: Element; readonly top: number } | undefined {
  const edge = scroller.getBoundingClientRect().top;
  for (const element of scroller.querySelectorAll("[data-message]")) {
    const { top, bottom } = element.getBoundingClientRect();
    if (bottom > edge) return { element, top };
  }
  return undefined;
}
