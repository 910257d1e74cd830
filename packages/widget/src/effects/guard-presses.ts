/**
 * Makes a press mean what the visitor meant, in every browser.
 *
 * The second press of a double click is for the button of the first one, or for the one that has its focus by now, as in a
 * picker. Any other button that has come under the pointer ignores it: the stop button in the place of «send», the next
 * question for consent, the bin of the next row.
 *
 * A pressed button has the focus. In Safari a press leaves it nowhere, and what depends on it would not work (the caret in
 * the composer after a new chat, a dialog that restores the focus). A field that has the focus keeps it.
 */
export function guardPresses(root: ShadowRoot, signal: AbortSignal): void {
  let pressed: Element | undefined;
  let isIgnored = false;
  const onPress = (event: Event) => {
    // The number of presses in a row; 0 for a click by a key.
    const { type, detail } = event as MouseEvent;
    const button = buttonOf(root, event);
    if (type === "mousedown") {
      isIgnored = detail > 1 && button !== undefined && button !== pressed && button !== root.activeElement;
      if (!isIgnored) pressed = button;
    } else if (isIgnored && detail > 1) {
      event.preventDefault();
      event.stopPropagation();
    } else if (!root.activeElement) button?.focus({ preventScroll: true });
  };
  root.addEventListener("mousedown", onPress, { signal, capture: true });
  root.addEventListener("click", onPress, { signal, capture: true });
}

/** The pressed button. One in a view of the host's own is in the page, and none of ours. */
function buttonOf(root: ShadowRoot, { target }: Event): HTMLElement | undefined {
  const button = target instanceof Element && target.closest("button");
  return button && root.contains(button) ? button : undefined;
}
