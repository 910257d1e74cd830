/**
 * Lets the page take a link of the conversation over, such as for its router: the event `nitka-linkclick` comes before the
 * browser follows the link, and can be cancelled. A click that asks for a new tab or window is the browser's.
 */
export function offerLinkClicks(root: ShadowRoot, signal: AbortSignal): void {
  const onClick = (event: Event) => {
    const { target } = event;
    const link = target instanceof Element && target.closest("[part=thread]") ? target.closest("a") : null;
    const isAnchor = link?.getAttribute("href")?.startsWith("#");
    // Links in a view of the host's own are the page's already.
    if (!link?.href || isAnchor || link.getRootNode() !== root || !(event instanceof MouseEvent)) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const { href } = link;
    const init = { detail: { href }, bubbles: true, composed: true, cancelable: true };
    if (link.dispatchEvent(new CustomEvent("nitka-linkclick", init))) return;
    event.preventDefault();
    event.stopPropagation();
  };
  root.addEventListener("click", onClick, { signal, capture: true });
}
