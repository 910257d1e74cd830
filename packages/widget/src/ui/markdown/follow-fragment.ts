import type { MouseEvent } from "react";

/**
 * Follows a link to an element of the same shadow root. The browser would look for the element in the page and change the
 * page's address.
 */
export function followFragment(event: MouseEvent<HTMLAnchorElement>): void {
  event.preventDefault();
  const link = event.currentTarget;
  const root = link.getRootNode();
  const id = link.getAttribute("href")?.slice(1) ?? "";
  const target = root instanceof ShadowRoot || root instanceof Document ? root.getElementById(id) : null;
  target?.scrollIntoView({ block: "nearest" });
  target?.focus({ preventScroll: true });
}
