/** The focus inside a shadow root. `document.activeElement` is only the root's host. */
import { useEffect, useRef } from "react";
import type { RefObject } from "react";
import { focusBriefly } from "../../browser/focus-briefly.ts";

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
 * Focuses the composer of the widget that contains `node`. On touch screens that would open the keyboard, so there the
 * conversation gets the focus, which would otherwise be lost with the pressed button.
 */
export function focusComposer(node: Node): void {
  const isTouch = matchMedia("(pointer: coarse)").matches;
  const root = node.getRootNode() as Document | ShadowRoot | Element;
  const element = root.querySelector<HTMLElement>(isTouch ? "[part=chat]" : "[data-composer]");
  if (!isTouch) element?.focus({ preventScroll: true });
  else if (element && !holdsFocus(element.querySelector("[data-composer]") ?? element)) focusBriefly(element);
}

/**
 * Restores the focus to a button when the content that it opened has closed and nothing else has the focus.
 *
 * @param open whether the content is open
 * @returns a ref for the button, which may be unmounted while the content is open
 */
export function useRestoredFocus(open: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(open);
  useEffect(() => {
    if (wasOpen.current && !open && button.current && !focusedIn(button.current)) button.current.focus();
    wasOpen.current = open;
  }, [open]);
  return button;
}
