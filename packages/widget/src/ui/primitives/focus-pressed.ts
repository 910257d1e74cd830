/**
 * Focuses a pressed button where the browser does not: in Safari a press leaves the focus nowhere, and what depends on it
 * would not work (the caret in the composer after a new chat, a dialog that restores the focus). A field that has the
 * focus keeps it.
 */
export function focusPressed(root: ShadowRoot, signal: AbortSignal): void {
  const onClick = ({ target }: Event) => {
    const button = target instanceof Element && !root.activeElement && target.closest("button");
    if (button) button.focus({ preventScroll: true });
  };
  root.addEventListener("click", onClick, { signal, capture: true });
}
