/** Focus inside a shadow root, where `document.activeElement` is only the root's host. */

/** The focused element of the shadow root or document that `node` belongs to. */
export function focusedIn(node: Node): HTMLElement | undefined {
  const { activeElement } = node.getRootNode() as Document | ShadowRoot;
  return activeElement instanceof HTMLElement ? activeElement : undefined;
}

/** Whether the focus is on a node or inside it. */
export function holdsFocus(node: Node): boolean {
  return node.contains(focusedIn(node) ?? null);
}

/**
 * Focuses the composer of the widget that `node` belongs to. Not on touch screens: there it would raise the keyboard.
 */
export function focusComposer(node: Node): void {
  if (matchMedia("(pointer: coarse)").matches) return;
  const root = node.getRootNode() as Document | ShadowRoot | Element;
  root.querySelector<HTMLElement>("[data-composer]")?.focus({ preventScroll: true });
}
