/** If the widget or its window is narrower than this, the layout is compact. */
const BREAKPOINT_PX = 768;

/** Whether the widget's layout is compact now. */
export function isCompact(host: HTMLElement): boolean {
  return Math.min(window.innerWidth, host.getBoundingClientRect().width) < BREAKPOINT_PX;
}

/**
 * Calls back whenever the layout becomes compact or stops being compact, until the signal aborts.
 *
 * @param compact whether it is compact now: to measure it again would lay out the whole first view before it is due
 */
export function watchWidth(
  host: HTMLElement,
  compact: boolean,
  onChange: (compact: boolean) => void,
  signal: AbortSignal,
): void {
  let wasCompact = compact;
  const update = () => {
    // An element that is hidden, or has just been moved and has no styles yet, has no width. A launcher never has one.
    if (host.offsetWidth === 0) return;
    const isNowCompact = isCompact(host);
    if (isNowCompact === wasCompact) return;
    wasCompact = isNowCompact;
    onChange(isNowCompact);
  };
  const observer = new ResizeObserver(update);
  observer.observe(host);
  window.addEventListener("resize", update, { signal });
  signal.addEventListener("abort", () => observer.disconnect());
}
