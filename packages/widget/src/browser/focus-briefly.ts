/**
 * Focuses an element that is not a control, such as a group or a region. It is focusable only while it has the focus: otherwise
 * a press on its text would move the focus to it. Returns whether it got the focus; a hidden element does not.
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
