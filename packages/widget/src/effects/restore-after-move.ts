/**
 * Restores what a widget loses when the page moves its element. Taken out of the document, dialogs leave the top layer,
 * scrollers go back to their start and stylesheets load again; in another document the constructed stylesheets, which
 * hold the theme and styles that came later, are gone as well. A `load` of the last stylesheet is the sign that all of this has happened.
 * `moveBefore` loses nothing and loads nothing.
 */
export function restoreAfterMove(root: ShadowRoot, signal: AbortSignal): void {
  const page = root.ownerDocument;
  let adopted = [...root.adoptedStyleSheets];
  const offsets = new WeakMap<Element, number>();
  const isStyled = () => [...root.querySelectorAll("link")].every(({ sheet }) => sheet);

  const onScroll = ({ target }: Event) => {
    // Without its styles nothing scrolls, and the offset that is to be restored must stay.
    if (isStyled()) offsets.set(target as Element, (target as Element).scrollTop);
  };
  const onLoad = () => {
    if (!isStyled()) return;
    if (root.adoptedStyleSheets.length === 0) root.adoptedStyleSheets = adopted.map((sheet) => copyFor(root, sheet));
    for (const element of root.querySelectorAll("*")) {
      // A thread that follows its end may be there already.
      if (element.scrollTop === 0) element.scrollTop = offsets.get(element) ?? 0;
    }
    for (const dialog of root.querySelectorAll<HTMLDialogElement>("dialog[open][aria-modal=true]:not(:modal)")) {
      // Closing it with `close` would tell the view that the visitor has closed it.
      dialog.removeAttribute("open");
      dialog.showModal();
    }
    // A menu closes without an event when it is taken out of the document: its trigger would still say that it is open.
    for (const menu of root.querySelectorAll("[role=menu]:not(:popover-open)")) menu.dispatchEvent(new Event("toggle"));
  };
  root.addEventListener("adopt", () => (adopted = [...root.adoptedStyleSheets]), { signal });
  root.addEventListener("scroll", onScroll, { signal, capture: true, passive: true });
  root.addEventListener("load", onLoad, { signal, capture: true });
  signal.addEventListener("abort", () => {
    // Those of the first document are removed by their owner, copies by nobody else.
    if (root.ownerDocument !== page) root.adoptedStyleSheets = [];
  });
}

/** A constructed stylesheet can only be adopted in the document whose window constructed it. */
function copyFor(root: ShadowRoot, sheet: CSSStyleSheet): CSSStyleSheet {
  const copy = new (root.ownerDocument.defaultView as typeof window).CSSStyleSheet();
  copy.replaceSync([...sheet.cssRules].map(({ cssText }) => cssText).join("\n"));
  // With the properties by which its owner finds it again.
  return Object.assign(copy, sheet);
}
