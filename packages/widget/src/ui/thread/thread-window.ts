/**
 * Which messages of a long thread are in the page: the newest at first, older ones as the reader comes near them, and
 * never more than a bound, so that the far end is let go of again. Pure.
 */
const OPENING = 40;
const PAGE = 20;
const MOST = 200;

/** Messages `from` (inclusive) to `to` (exclusive) are mounted; a `to` of `Infinity` follows the thread's end. */
export interface ThreadWindow {
  readonly from: number;
  readonly to: number;
}

export function openWindow(count: number): ThreadWindow {
  return { from: Math.max(0, Math.floor((count - OPENING) / PAGE) * PAGE), to: Number.POSITIVE_INFINITY };
}

/** A page of older messages more. */
export function growUp({ from, to }: ThreadWindow, count: number): ThreadWindow {
  const next = Math.max(0, from - PAGE);
  const end = Math.min(to, count);
  return { from: next, to: end - next > MOST ? next + MOST : to };
}

/** A page of newer messages more. */
export function growDown({ from, to }: ThreadWindow, count: number): ThreadWindow {
  const next = to + PAGE;
  const end = Math.min(next, count);
  return { from: Math.max(from, end - MOST), to: next >= count ? Number.POSITIVE_INFINITY : next };
}

/** The window over a branch that may have become another one. */
export function fitWindow(window: ThreadWindow, count: number): ThreadWindow {
  return window.from < count || count === 0 ? window : openWindow(count);
}
