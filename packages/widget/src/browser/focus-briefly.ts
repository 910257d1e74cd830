/**
 * Focuses an element that is no control, such as a group or a region. It can be focused only while it has the focus:
 * otherwise a press on its text would move the focus to it. Returns whether it has the focus: a hidden element cannot.
 */
export function focusBriefly(element: HTMLElement): boolean {
  const root = element.getRootNode() as Document | ShadowRoot;
  const isFocusable = element.hasAttribute("tabindex");
  const leave = () => isFocusable || element.removeAttribute("tabindex");
  if (!isFocusable) element.tabIndex = -1;
  element.addEventListener("blur", leave, { once: true });
  element.focus();
  if (root.activeElement === element) return true;
  leave();
  return false;
}
