import type { ElementEnvironment } from "./app.ts";
import { createElementClass } from "./nitka-element.ts";

export const TAG = "nitka-chat";

/** Defines the element. If a page has several scripts, the first one defines it for all. */
export function defineElement(environment: ElementEnvironment): void {
  // The class is created here and not at the top, so that a server, which has no HTMLElement, can import this file.
  if (!customElements.get(TAG)) customElements.define(TAG, createElementClass(environment));
}
