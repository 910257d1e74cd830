/// <reference types="../../css-text.d.ts" />

/**
 * Adds styles to the widget of `place`, once. It is for components that load later: their styles are in their chunk and in no
 * stylesheet. The styles name their layer themselves.
 *
 * @example
 * import css from "./launcher.css?inline";
 * useLayoutEffect(() => adoptStyles(place.current, css), []);
 */
export function adoptStyles(place: Node | null, css: string): void {
  const root = place?.getRootNode();
  if (!(root instanceof ShadowRoot) || root.adoptedStyleSheets.some((sheet) => textOf(sheet) === css)) return;
  // A constructed stylesheet belongs to one document, and the element may be in another one than its script.
  const sheet = new (root.ownerDocument.defaultView as typeof window).CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets.push(Object.assign(sheet, { css }));
  // A move to another document loses these styles; restore-after-move.ts restores them.
  root.dispatchEvent(new Event("adopt"));
}

function textOf(sheet: CSSStyleSheet & { readonly css?: string }): string | undefined {
  return sheet.css;
}
