/** Puts the caret into the composer of the widget that `node` belongs to; on touch that would raise the keyboard: not there. */
export function focusComposer(node: Node): void {
  const root = node.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return;
  if (matchMedia("(pointer: coarse)").matches) return;
  root.querySelector<HTMLElement>("[data-composer]")?.focus({ preventScroll: true });
}
