/**
 * Hides the widget while its page is in the back/forward cache, and until it is known that the visitor is the same, because
 * another one may have signed in meanwhile. It is hidden when the page leaves, because a page that returns is drawn once before
 * `pageshow`.
 *
 * @param askWho ends the widget if the visitor is another one or unknown
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
  // The widget of another visitor starts in the same element.
  signal.addEventListener("abort", show);
}
