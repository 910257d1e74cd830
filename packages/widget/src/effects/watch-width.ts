import { isCompact } from "./is-compact.ts";

/**
 * Calls back whenever the layout becomes compact or stops being compact, until the signal aborts.
 *
 * @param compact whether it is compact now; measuring it again would lay out the whole first view too early
 */
export function watchWidth({
  host,
  compact,
  onCompact,
  signal,
}: {
  readonly host: HTMLElement;
  readonly compact: boolean;
  readonly onCompact: (compact: boolean) => void;
  readonly signal: AbortSignal;
}): void {
  let wasCompact = compact;
  const update = () => {
    // An element that is hidden, or has just been moved and has no styles yet, has no width. A launcher never has one.
    if (host.offsetWidth === 0) return;
    const isNowCompact = isCompact(host);
    if (isNowCompact === wasCompact) return;
    wasCompact = isNowCompact;
    onCompact(isNowCompact);
  };
  const observer = new ResizeObserver(update);
  observer.observe(host);
  window.addEventListener("resize", update, { signal });
  signal.addEventListener("abort", () => observer.disconnect());
}
