/** What the page hears and sees of the element. */
import type { NitkaEvents, WidgetOptions } from "../options.ts";

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

/** Calls the host's callback and dispatches the element's event. */
export function tellHost<E extends keyof NitkaEvents>(
  element: Element,
  options: WidgetOptions | undefined,
  event: E,
  detail: NitkaEvents[E],
): void {
  try {
    options?.on[event]?.(detail);
  } catch (error) {
    // An error of the host's code: the page's `reportError`, not the widget's `error` event.
    reportError(error);
  }
  element.dispatchEvent(new CustomEvent(`nitka-${event}`, { detail, bubbles: true, composed: true }));
}
