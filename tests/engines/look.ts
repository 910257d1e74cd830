/** Which elements of the widget are meant: by a selector within its shadow root, by their accessible name, or by both. */
export interface Query {
  readonly css?: string;
  readonly name?: string;
  /** Bring the first of them into sight before. */
  readonly scroll?: boolean;
}

/** An element as a visitor meets it. */
export interface Seen {
  readonly name: string;
  readonly text: string;
  readonly value: string;
  /** The middle of it. */
  readonly x: number;
  readonly y: number;
  /** Whether a press on its middle would reach it: nothing lies over it, and it is in the window. */
  readonly reachable: boolean;
}

/** The visible elements that are meant. Sent to the page as text: it uses nothing from outside of itself. */
export function look({ css = "button, a, textarea, input", name, scroll }: Query): readonly Seen[] {
  const root = document.querySelector("nitka-chat")?.shadowRoot;
  const nameOf = (element: Element) =>
    element.getAttribute("aria-label") ?? element.getAttribute("placeholder") ?? element.textContent.trim();
  const meant = [...(root?.querySelectorAll<HTMLElement>(css) ?? [])].filter(
    (element) =>
      element.checkVisibility({ visibilityProperty: true }) && (name === undefined || nameOf(element) === name),
  );
  if (scroll) meant[0]?.scrollIntoView({ block: "nearest" });
  return meant.map((element) => {
    const box = element.getBoundingClientRect();
    const x = box.x + box.width / 2;
    const y = box.y + box.height / 2;
    const hit = root?.elementFromPoint(x, y);
    const value = "value" in element ? String(element.value) : "";
    const reachable = hit != null && (hit === element || element.contains(hit));
    return { name: nameOf(element), text: element.textContent.trim(), value, x, y, reachable };
  });
}

/** The accessible name of what has the focus, in the widget or in the page around it. */
export function lookAtFocus(): string {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return (
    focused?.getAttribute("aria-label") ?? focused?.getAttribute("placeholder") ?? focused?.textContent?.trim() ?? ""
  );
}
