/** A sheet with the styles of a component has their text in `css` (ui/primitives/adopt-styles.ts). */
type Sheet = CSSStyleSheet & { readonly css?: string };

/**
 * Restores what a widget loses when the page moves its element. When it is removed from the document, dialogs leave the top
 * layer, scrollers return to their start and stylesheets load again. In another document it also loses the constructed
 * stylesheets, which contain the theme and styles that loaded later. The `load` of the last stylesheet shows that all of this
 * has happened. `moveBefore` loses nothing and loads nothing.
 */
export function restoreAfterMove(root: ShadowRoot, signal: AbortSignal): void {
  const page = root.ownerDocument;
  let styled = page;
  let adopted = [...root.adoptedStyleSheets];
  const offsets = new WeakMap<Element, number>();
  const isStyled = () => [...root.querySelectorAll("link")].every(({ sheet }) => sheet);

  const onScroll = ({ target }: Event) => {
    // Without its styles nothing scrolls, and the offset that will be restored must stay.
    if (isStyled()) offsets.set(target as Element, (target as Element).scrollTop);
  };
  const keepSheets = () => {
    const present = root.adoptedStyleSheets;
    if (root.ownerDocument !== styled) {
      // A component can adopt its styles in the new document before the links have loaded there.
      const lost = adopted.filter(({ css }: Sheet) => !present.some((sheet: Sheet) => sheet.css === css));
      root.adoptedStyleSheets = [...lost.map((sheet) => copyFor(root, sheet)), ...present];
      styled = root.ownerDocument;
    }
    adopted = [...root.adoptedStyleSheets];
  };
  const onLoad = () => {
    if (!isStyled()) return;
    keepSheets();
    for (const element of root.querySelectorAll("*")) {
      // A thread that follows its end may have scrolled already.
      if (element.scrollTop === 0) element.scrollTop = offsets.get(element) ?? 0;
    }
    for (const dialog of root.querySelectorAll<HTMLDialogElement>("dialog[open][aria-modal=true]:not(:modal)")) {
      // `close` would tell the view that the visitor has closed it.
      dialog.removeAttribute("open");
      dialog.showModal();
    }
    // A menu closes without an event when it is removed from the document, and its trigger would still say that it is open.
    for (const menu of root.querySelectorAll("[role=menu]:not(:popover-open)")) menu.dispatchEvent(new Event("toggle"));
  };
  root.addEventListener("adopt", keepSheets, { signal });
  root.addEventListener("scroll", onScroll, { signal, capture: true, passive: true });
  root.addEventListener("load", onLoad, { signal, capture: true });
  signal.addEventListener("abort", () => {
    // The owner removes the stylesheets of the first document, but nothing else removes copies.
    if (root.ownerDocument !== page) root.adoptedStyleSheets = [];
  });
}

/** A constructed stylesheet can only be adopted in the document whose window constructed it. */
function copyFor(root: ShadowRoot, sheet: CSSStyleSheet): CSSStyleSheet {
  const copy = new (root.ownerDocument.defaultView as typeof window).CSSStyleSheet();
  copy.replaceSync([...sheet.cssRules].map(({ cssText }) => cssText).join("\n"));
  // The copy has the properties by which its owner finds it again.
  return Object.assign(copy, sheet);
}
