/**
 * The address of a thread on the chat's own page (`pageUrl` of the config), in the form that a widget on that page uses: in the
 * path, or in the fragment if the page's address has one.
 *
 * @param base the address of the current page
 *
 * @example
 * pageAddress("/chat?from=shop", "t1", "https://shop.example/cart") // "https://shop.example/chat/c/t1?from=shop"
 * pageAddress("https://chat.example/#", "t1", base) // "https://chat.example/#/c/t1"
 */
export function pageAddress(pageUrl: string, threadId: string | undefined, base: string): string {
  const url = new URL(pageUrl, base);
  if (threadId === undefined) return url.href;
  const path = `/c/${encodeURIComponent(threadId)}`;
  const extended = (place: string) => place.replace(/\/$/, "") + path;
  if (pageUrl.includes("#")) url.hash = extended(url.hash.slice(1));
  else url.pathname = extended(url.pathname);
  return url.href;
}
