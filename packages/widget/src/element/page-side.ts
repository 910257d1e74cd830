/** The attributes of the element that the page sees, and the events that it does not see. */
import type { WidgetOptions } from "../options.ts";

/** Marks a container that `init` created for an element. It is removed together with the element. */
export const CONTAINER_ATTRIBUTE = "data-nitka-container";

/**
 * The events that stop at the element. Otherwise each letter that a visitor types could trigger a shortcut of the page. Keys in
 * a host's own view continue, because that view is a part of the page.
 */
export const KEY_EVENTS = ["keydown", "keypress", "keyup"];

/** Sets the attributes that the styles select. */
export function reflectOptions(element: Element, { layout, colorScheme }: WidgetOptions): void {
  element.setAttribute("layout", layout);
  element.setAttribute("color-scheme", colorScheme);
}
