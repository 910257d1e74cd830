/**
 * Hides the widget while its page is in the browser's cache of pages (back/forward cache), and until it is known that the
 * visitor is the same: another one may have signed in meanwhile. It is hidden as the page leaves, because a page that comes
 * back is drawn once before `pageshow`.
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
  // The widget of another visitor begins in the same element.
  signal.addEventListener("abort", show);
}
