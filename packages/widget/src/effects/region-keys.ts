interface RegionKeysOptions {
  readonly host: HTMLElement;
  readonly root: ShadowRoot;
}

/**
 * F6 goes from the list to the conversation and on to the composer, Shift+F6 back. Past the last of them the key is the
 * browser's own, which leads out of the page.
 */
export function regionKeys({ host, root }: RegionKeysOptions): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const { activeElement } = root;
    if (event.key !== "F6" || event.altKey || event.metaKey || !activeElement) return;
    const side = event.shiftKey ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
    const ahead = [...root.querySelectorAll<HTMLElement>("[data-region]")].filter(
      (region) => !region.contains(activeElement) && activeElement.compareDocumentPosition(region) & side,
    );
    if ((event.shiftKey ? ahead.toReversed() : ahead).some((region) => enter(region, root))) event.preventDefault();
  };
  host.addEventListener("keydown", onKeyDown);
  return () => host.removeEventListener("keydown", onKeyDown);
}

/** Gives the focus to what a region marks as its current, else to itself. Tells whether it could. */
function enter(region: HTMLElement, root: ShadowRoot): boolean {
  const current = region.querySelector<HTMLElement>("[aria-current]");
  (current ?? region).focus();
  if (region.contains(root.activeElement)) return true;
  // Only for as long as it has the focus: otherwise a press on its text would take the focus from elsewhere.
  region.tabIndex = -1;
  region.addEventListener("blur", () => region.removeAttribute("tabindex"), { once: true });
  region.focus();
  if (root.activeElement === region) return true;
  region.removeAttribute("tabindex");
  return false;
}
