/** The layout is compact if the widget or its window is narrower than this. */
const BREAKPOINT_PX = 768;

/** Whether the widget's layout is compact now. */
export function isCompact(host: HTMLElement): boolean {
  return Math.min(window.innerWidth, host.getBoundingClientRect().width) < BREAKPOINT_PX;
}
