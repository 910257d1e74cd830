/**
 * Makes presses work as the visitor intends in every browser.
 *
 * The second press of a double click counts for the button of the first press, or for the button that has its focus by now, as
 * in a picker. Any other button that has moved under the pointer ignores it: the stop button in the place of «send», the next
 * question for consent, the delete button of the next row.
 *
 * A pressed button gets the focus. In Safari a press does not focus a button, and features that depend on the focus would not
 * work (the caret in the composer after a new chat, a dialog that restores the focus). A field that has the focus keeps it.
 */
export function guardPresses(root: ShadowRoot, signal: AbortSignal): void {
  let pressed: Element | undefined;
  let isIgnored = false;
  const onPress = (event: Event) => {
    // The number of consecutive presses; 0 for a click by a key.
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

/** The pressed button. A button in a host's own view is in the page and does not count. */
function buttonOf(root: ShadowRoot, { target }: Event): HTMLElement | undefined {
  const button = target instanceof Element && target.closest("button");
  return button && root.contains(button) ? button : undefined;
}
