import { focusBriefly } from "../browser/focus-briefly.ts";

interface RegionKeysOptions {
  readonly host: HTMLElement;
  readonly root: ShadowRoot;
  /** Stops it. */
  readonly signal: AbortSignal;
}

/**
 * F6 moves the focus from the list to the conversation and then to the composer, and Shift+F6 back. After the last region the
 * key is left to the browser, whose F6 leaves the page. A region tells screen readers that F6 leads to it, and the code finds
 * it by the same attribute.
 */
export function regionKeys({ host, root, signal }: RegionKeysOptions): void {
  const onKeyDown = (event: KeyboardEvent) => {
    const { activeElement } = root;
    if (event.key !== "F6" || event.altKey || event.metaKey || !activeElement) return;
    const side = event.shiftKey ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
    const regions = [...root.querySelectorAll<HTMLElement>("[aria-keyshortcuts=F6]")].filter(
      (region) => !region.contains(activeElement) && activeElement.compareDocumentPosition(region) & side,
    );
    const nearestFirst = event.shiftKey ? regions.toReversed() : regions;
    if (nearestFirst.some((region) => focusRegion(region, root))) event.preventDefault();
  };
  host.addEventListener("keydown", onKeyDown, { signal });
}

/**
 * Focuses the element that a region marks as its current one, otherwise the region itself. Returns whether that worked: a
 * hidden region cannot be focused.
 */
function focusRegion(region: HTMLElement, root: ShadowRoot): boolean {
  const current = region.querySelector<HTMLElement>("[aria-current]");
  (current ?? region).focus();
  return region.contains(root.activeElement) || focusBriefly(region);
}
