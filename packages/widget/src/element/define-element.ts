import type { ElementEnvironment } from "./nitka-element.ts";
import { defineNitkaElement, TAG } from "./nitka-element.ts";
import { createOldBrowserElement, isBrowserTooOld } from "./old-browser-element.ts";

/** Defines `<nitka-chat>`: the widget, or in a browser that is too old for it a sentence in its place. */
export function defineElement(environment: ElementEnvironment): void {
  if (customElements.get(TAG)) return;
  if (isBrowserTooOld()) customElements.define(TAG, createOldBrowserElement());
  else defineNitkaElement(environment);
}
