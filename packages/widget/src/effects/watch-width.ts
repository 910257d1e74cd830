/** Narrower than this, the widget or its window, and the layout is compact. */
const BREAKPOINT_PX = 768;

export function isCompact(host: HTMLElement): boolean {
  return Math.min(window.innerWidth, host.getBoundingClientRect().width) < BREAKPOINT_PX;
}

/** Tells whenever the widget becomes compact or no longer is, whether by its own width or the window's. */
export function watchWidth(host: HTMLElement, onChange: (compact: boolean) => void): () => void {
  let compact = isCompact(host);
  const look = () => {
    const now = isCompact(host);
    if (now === compact) return;
    compact = now;
    onChange(now);
  };
  const observer = new ResizeObserver(look);
  observer.observe(host);
  window.addEventListener("resize", look);
  return () => {
    observer.disconnect();
    window.removeEventListener("resize", look);
  };
}
