/**
 * Allows the page to handle a link of the conversation, for example with its router: the event `nitka-linkclick` comes before
 * the browser follows the link and can be cancelled. A click that asks for a new tab or window is left to the browser.
 */
export function offerLinkClicks(root: ShadowRoot, linkTarget: "blank" | "self" | undefined, signal: AbortSignal): void {
  const onClick = (event: Event) => {
    const { target } = event;
    const link = target instanceof Element && target.closest("[part=thread]") ? target.closest("a") : null;
    const isAnchor = link?.getAttribute("href")?.startsWith("#");
    // Links in a host's own view already belong to the page.
    if (!link?.href || isAnchor || link.getRootNode() !== root || !(event instanceof MouseEvent)) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const { href } = link;
    const init = { detail: { href }, bubbles: true, composed: true, cancelable: true };
    if (link.dispatchEvent(new CustomEvent("nitka-linkclick", init))) return;
    event.preventDefault();
    event.stopPropagation();
  };
  root.addEventListener("click", onClick, { signal, capture: true });
  if (linkTarget !== "self") return;
  // A link announces that it opens a new tab. It is changed before its name is read, at the latest when it is followed.
  for (const type of ["pointerover", "focusin", "click"])
    root.addEventListener(type, openHere, { signal, capture: true });
}

/** Makes a link to the page's own origin open in the page's tab. */
function openHere({ target }: Event): void {
  const link = target instanceof Element ? target.closest("[part=thread]") && target.closest("a") : null;
  if (link?.target !== "_blank" || link.download !== "" || link.origin !== location.origin) return;
  link.target = "_self";
  link.removeAttribute("aria-describedby");
}
