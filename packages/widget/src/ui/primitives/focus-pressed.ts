/**
 * Focuses a pressed button where the browser does not: in Safari a press leaves the focus nowhere, and what depends on it
 * would not work (the caret in the composer after a new chat, a dialog that restores the focus). A field that has the
 * focus keeps it.
 */
export function focusPressed(root: ShadowRoot, signal: AbortSignal): void {
  const onClick = ({ target }: Event) => {
    const button = target instanceof Element && !root.activeElement && target.closest("button");
    // A button in a view of the host's own is in the page.
    if (button && root.contains(button)) button.focus({ preventScroll: true });
  };
  root.addEventListener("click", onClick, { signal, capture: true });
}
