import type { ElementEnvironment } from "./app.ts";
import { createElementClass } from "./nitka-element.ts";

export const TAG = "nitka-chat";

/** Defines the element. If several scripts are in the page, the first one defines it for all. */
export function defineElement(environment: ElementEnvironment): void {
  // The class is made here and not at the top: a server, which has no HTMLElement, can import this file.
  if (!customElements.get(TAG)) customElements.define(TAG, createElementClass(environment));
}
