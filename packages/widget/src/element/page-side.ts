/** What the page sees of the element, and what it does not hear. */
import type { WidgetOptions } from "../options.ts";

/** Marks a container that `init` made for an element: it is removed together with the element. */
export const CONTAINER_ATTRIBUTE = "data-nitka-container";

/**
 * Stopped at the element: otherwise each letter that a visitor types could trigger a shortcut of the page. Keys in a view of
 * the host's own go on, since that is a part of the page.
 */
export const KEY_EVENTS = ["keydown", "keypress", "keyup"];

/** Sets the attributes that the styles select by. */
export function reflectOptions(element: Element, { layout, colorScheme }: WidgetOptions): void {
  element.setAttribute("layout", layout);
  element.setAttribute("color-scheme", colorScheme);
}
