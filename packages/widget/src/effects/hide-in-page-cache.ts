/**
 * Hides the widget while its page is in the browser's cache of pages (back/forward cache), and until it is known that the
 * visitor is the same: another one may have signed in meanwhile. Hidden only as it comes back, it could be seen for a frame.
 *
 * @param askWho ends the widget where the visitor is another one, or is not known
 */
export function hideInPageCache(
  host: HTMLElement,
  askWho: (again: boolean) => Promise<unknown>,
  signal: AbortSignal,
): void {
  const { style } = host;
  const show = () => {
    style.visibility = "";
  };
  const onPageHide = ({ persisted }: PageTransitionEvent) => {
    if (persisted) style.visibility = "hidden";
  };
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) void askWho(true).then(show);
  };
  addEventListener("pagehide", onPageHide, { signal });
  addEventListener("pageshow", onPageShow, { signal });
  // With another visitor `askWho` never tells: the widget ends, and theirs begins.
  signal.addEventListener("abort", show);
}
