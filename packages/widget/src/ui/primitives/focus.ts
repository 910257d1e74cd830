import { focusBriefly } from "../../browser/focus-briefly.ts";

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
 * Focuses the composer of the widget that `node` belongs to. On touch screens that would raise the keyboard: there the
 * conversation has the focus, so that it is not lost with the button that was pressed.
 */
export function focusComposer(node: Node): void {
  const isTouch = matchMedia("(pointer: coarse)").matches;
  const root = node.getRootNode() as Document | ShadowRoot | Element;
  const element = root.querySelector<HTMLElement>(isTouch ? "[part=chat]" : "[data-composer]");
  if (!isTouch) element?.focus({ preventScroll: true });
  else if (element && !holdsFocus(element.querySelector("[data-composer]") ?? element)) focusBriefly(element);
}
