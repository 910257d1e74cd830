/**
 * The messages of a long thread that are mounted: the newest at first, then one more page each time the reader scrolls near an
 * edge. Their number is limited: at the limit the page at the far edge is unmounted. These functions are pure.
 *
 * @example
 * // A thread of 5,000 messages opens with its newest 40.
 * openWindow(5000) // { from: 4960, to: Infinity }
 * // The reader scrolls up: a page of older messages is mounted …
 * growUp({ from: 4960, to: Infinity }, 5000) // { from: 4940, to: Infinity }
 * // … and from 200 messages on, the page of the newest is unmounted: the window no longer follows the thread's end.
 * growUp({ from: 4800, to: Infinity }, 5000) // { from: 4780, to: 4980 }
 * // The reader scrolls down again and reaches the end.
 * growDown({ from: 4780, to: 4980 }, 5000) // { from: 4800, to: Infinity }
 */
const OPENING_COUNT = 40;
const PAGE_SIZE = 20;
const MAX_MOUNTED = 200;

/** Messages `from` (inclusive) to `to` (exclusive) are mounted. A `to` of `Infinity` follows the thread's end. */
export interface ThreadWindow {
  readonly from: number;
  readonly to: number;
}

/** The newest messages. `from` is a multiple of the page size, so up to one page more than the opening count is mounted. */
export function openWindow(count: number): ThreadWindow {
  const from = Math.floor((count - OPENING_COUNT) / PAGE_SIZE) * PAGE_SIZE;
  return { from: Math.max(0, from), to: Number.POSITIVE_INFINITY };
}

/** Mounts the next page of older messages. */
export function growUp({ from, to }: ThreadWindow, count: number): ThreadWindow {
  const newFrom = Math.max(0, from - PAGE_SIZE);
  const end = Math.min(to, count);
  return { from: newFrom, to: end - newFrom > MAX_MOUNTED ? newFrom + MAX_MOUNTED : to };
}

/** Mounts the next page of newer messages. */
export function growDown({ from, to }: ThreadWindow, count: number): ThreadWindow {
  const newTo = to + PAGE_SIZE;
  const end = Math.min(newTo, count);
  return { from: Math.max(from, end - MAX_MOUNTED), to: newTo >= count ? Number.POSITIVE_INFINITY : newTo };
}

/**
 * The same window, or a newly opened one if the shown branch now ends before the window begins.
 *
 * @example windowWithin({ from: 100, to: Infinity }, 60) // { from: 20, to: Infinity }
 */
export function windowWithin(window: ThreadWindow, count: number): ThreadWindow {
  return window.from < count || count === 0 ? window : openWindow(count);
}
