/**
 * A button that unfolds a text may move below the window with the text's end. Who presses it by a key sees again where the focus
 * is. Who presses it with a pointer goes on reading where the text was cut.
 */
export function showUnfolded(root: ShadowRoot, signal: AbortSignal): void {
  const onClick = ({ target }: Event) => {
    const button = target instanceof Element && target.closest("button[aria-expanded]");
    if (!button) return;
    // React draws what has unfolded before the next frame.
    requestAnimationFrame(() => {
      if (button.matches("[aria-expanded=true]:focus-visible")) button.scrollIntoView({ block: "nearest" });
    });
  };
  root.addEventListener("click", onClick, { signal });
}
