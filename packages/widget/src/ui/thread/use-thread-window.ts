import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { flushSync } from "react-dom";
import { growDown, growUp, openWindow, windowWithin } from "./thread-window.ts";
import type { ThreadWindow } from "./thread-window.ts";

/** The distance from an edge of the mounted messages, in pixels, at which another page is mounted. */
const MOUNT_AHEAD_PX = 2000;

/** The window for printing. */
const WHOLE: ThreadWindow = { from: 0, to: Number.POSITIVE_INFINITY };

/** A message and its distance from the top of the browser's window, in pixels. */
interface ScrollAnchor {
  readonly element: Element;
  readonly top: number;
}

/**
 * Moves the window over a thread's messages as the reader scrolls. The first visible message is the anchor: it keeps its place
 * on the screen after messages above it are mounted or unmounted. The browsers' own scroll anchoring is not enough, because not
 * every engine has it and none anchors at the very top.
 *
 * @example
 * // 5,000 messages, of which 4960 to 5000 are mounted; the reader scrolls to within 2000 px of the top:
 * // 1. the anchor is message 4962, 140 px below the window's top
 * // 2. the window becomes 4940 to 5000; the 20 messages above are 3100 px high, so the anchor is at 3240 px
 * // 3. the scroller moves by 3240 - 140 = 3100 px, before the browser paints
 *
 * @param count the number of messages in the thread
 * @returns the window, and `reopen`, which returns to the newest messages and returns whether that moved the window
 */
export function useThreadWindow(
  viewport: RefObject<HTMLElement | null>,
  count: number,
): ThreadWindow & { readonly reopen: () => boolean } {
  const [lastWindow, setWindow] = useState<ThreadWindow>(() => openWindow(count));
  const [isPrinted, setPrinted] = useState(false);
  const window = isPrinted ? WHOLE : windowWithin(lastWindow, count);
  const anchor = useRef<ScrollAnchor | undefined>(undefined);

  useLayoutEffect(() => {
    const scroller = viewport.current;
    if (!scroller || !anchor.current) return;
    const { element, top } = anchor.current;
    anchor.current = undefined;
    const shift = element.isConnected ? element.getBoundingClientRect().top - top : 0;
    if (Math.abs(shift) >= 1) scroller.scrollBy(0, shift);
  });

  useEffect(() => {
    const scroller = viewport.current;
    // A short thread is mounted whole. While an answer grows, each frame scrolls and would read the layout for nothing.
    const isWhole = window.from === 0 && window.to >= count;
    if (!scroller || isWhole) return undefined;
    let frame = 0;
    const update = () => {
      frame = 0;
      const nextWindow = windowAt(scroller, window, count);
      if (!nextWindow) return;
      anchor.current = findAnchor(scroller);
      // The page is mounted in this frame. Later the reader would have scrolled on, and the anchor would be outdated.
      flushSync(() => setWindow(nextWindow));
    };
    const updateInNextFrame = () => {
      if (frame === 0) frame = requestAnimationFrame(update);
    };
    updateInNextFrame();
    scroller.addEventListener("scroll", updateInNextFrame, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      scroller.removeEventListener("scroll", updateInNextFrame);
    };
  }, [viewport, window, count]);

  useEffect(() => {
    const scroller = viewport.current;
    let top = 0;
    const print = ({ type }: Event) => {
      const begins = type === "beforeprint";
      if (begins) top = scroller?.scrollTop ?? 0;
      // This is synchronous, because the browser lays out the page for paper as soon as this returns.
      flushSync(() => setPrinted(begins));
      if (!begins) scroller?.scrollTo({ top });
    };
    addEventListener("beforeprint", print);
    addEventListener("afterprint", print);
    return () => {
      removeEventListener("beforeprint", print);
      removeEventListener("afterprint", print);
    };
  }, [viewport]);

  const followsEnd = !Number.isFinite(window.to);
  const reopen = useCallback(() => {
    if (followsEnd) return false;
    anchor.current = undefined;
    setWindow(openWindow(count));
    return true;
  }, [followsEnd, count]);
  return { ...window, reopen };
}

/** The window for the scroll position; `undefined` if it is the current one. */
function windowAt(scroller: HTMLElement, window: ThreadWindow, count: number): ThreadWindow | undefined {
  const { scrollTop, scrollHeight, clientHeight } = scroller;
  // A hidden widget has no height, so every edge would seem near.
  if (clientHeight === 0) return undefined;
  if (window.from > 0 && scrollTop < MOUNT_AHEAD_PX) return growUp(window, count);
  const below = scrollHeight - clientHeight - scrollTop;
  if (window.to < count && below < MOUNT_AHEAD_PX) return growDown(window, count);
  return undefined;
}

/** The first visible message. */
function findAnchor(scroller: HTMLElement): ScrollAnchor | undefined {
  const edge = scroller.getBoundingClientRect().top;
  for (const element of scroller.querySelectorAll("[data-message]")) {
    const { top, bottom } = element.getBoundingClientRect();
    if (bottom > edge) return { element, top };
  }
  return undefined;
}
