/** Focus inside a shadow root: `document.activeElement` is only its host there. */

/** The focused element of the tree that `node` belongs to. */
export function focusedIn(node: Node): HTMLElement | undefined {
  const { activeElement } = node.getRootNode() as Document | ShadowRoot;
  return activeElement instanceof HTMLElement ? activeElement : undefined;
}

/** Whether a node holds the focus, itself or below it. */
export function holdsFocus(node: Node): boolean {
  return node.contains(focusedIn(node) ?? null);
}

/** Puts the caret into the composer of the widget that `node` belongs to; on touch that would raise the keyboard: not there. */
export function focusComposer(node: Node): void {
  if (matchMedia("(pointer: coarse)").matches) return;
  const root = node.getRootNode() as Document | ShadowRoot | Element;
  root.querySelector<HTMLElement>("[data-composer]")?.focus({ preventScroll: true });
}
