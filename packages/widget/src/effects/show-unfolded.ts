/**
 * A button that unfolds a text may move below the window together with the text's end. For a press by a key the button is
 * scrolled into view. After a press with a pointer the visitor continues reading where the text was cut.
 */
export function showUnfolded(root: ShadowRoot, signal: AbortSignal): void {
  const onClick = ({ target }: Event) => {
    const button = target instanceof Element && target.closest("button[aria-expanded]");
    if (!button) return;
    // React renders the unfolded text before the next frame.
    requestAnimationFrame(() => {
      if (button.matches("[aria-expanded=true]:focus-visible")) button.scrollIntoView({ block: "nearest" });
    });
  };
  root.addEventListener("click", onClick, { signal });
}
