/** Selects elements of the widget by a selector within its shadow root, by their accessible name, or by both. */
export interface Query {
  readonly css?: string;
  readonly name?: string;
  /** Whether the first of them is scrolled into view before its place is measured. */
  readonly scroll?: boolean;
}

/** A visible element. */
export interface VisibleElement {
  readonly name: string;
  readonly text: string;
  readonly value: string;
  /** The centre of its box, in CSS pixels of the viewport. */
  readonly x: number;
  readonly y: number;
  /** Whether a click on its centre hits it: it is in the viewport and not covered. */
  readonly reachable: boolean;
}

/** Finds visible elements. The function is sent to the page as text, so it uses nothing outside itself. */
export function findVisible({ css = "button, a, textarea, input", name, scroll }: Query): readonly VisibleElement[] {
  const root = document.querySelector("nitka-chat")?.shadowRoot;
  const nameOf = (element: Element) =>
    element.getAttribute("aria-label") ?? element.getAttribute("placeholder") ?? element.textContent.trim();
  const found = [...(root?.querySelectorAll<HTMLElement>(css) ?? [])].filter(
    (element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      (name === undefined || nameOf(element) === name || nameOf(element).startsWith(`${name}: `)),
  );
  if (scroll) found[0]?.scrollIntoView({ block: "nearest" });
  return found.map((element) => {
    const box = element.getBoundingClientRect();
    const x = box.x + box.width / 2;
    const y = box.y + box.height / 2;
    const hit = root?.elementFromPoint(x, y);
    const value = "value" in element ? String(element.value) : "";
    const reachable = hit != null && (hit === element || element.contains(hit));
    return { name: nameOf(element), text: element.textContent.trim(), value, x, y, reachable };
  });
}

/**
 * The accessible name of the focused element, in the widget or in the page around it. This function is also sent to the page as
 * text.
 */
export function focusedName(): string {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return (
    focused?.getAttribute("aria-label") ?? focused?.getAttribute("placeholder") ?? focused?.textContent?.trim() ?? ""
  );
}
