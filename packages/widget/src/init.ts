import type { ElementEnvironment } from "./element/app.ts";
import { defineElement, TAG } from "./element/define-element.ts";
import { CONTAINER_ATTRIBUTE } from "./element/page-side.ts";
import { optionNames } from "./element/element-options.ts";
import type { NitkaElement } from "./element/element-options.ts";
import type { NitkaHandle, NitkaOptions } from "./options.ts";
import { readOptions, wrong } from "./options.ts";

/** Adds a widget to the page. */
export type Init = (options?: NitkaOptions) => NitkaHandle;

/**
 * Creates `init` for widgets whose chunks come from this environment. `init` is synchronous, and throws when the target is
 * missing (`Target not found: #chat`) or an option is wrong (a TypeError that names it).
 */
export function createInit(environment: ElementEnvironment): Init {
  return (options = {}) => {
    const { layout } = readOptions(options, { scriptUrl: environment.scriptUrl, pageUrl: location.href });
    const target = findTarget(options.target);
    defineElement(environment);
    const element = document.createElement(TAG);
    for (const name of optionNames) if (options[name] != null) Reflect.set(element, name, options[name]);
    if (target) target.append(element);
    else appendToBody(element, layout);
    return element.handle;
  };
}

function findTarget(target: unknown): Element | undefined {
  if (target === undefined || target === null) return undefined;
  if (typeof target === "string") {
    let found: Element | null = null;
    try {
      found = document.querySelector(target);
    } catch {
      // The string is not a valid selector.
    }
    if (!found) throw new Error(`Target not found: ${target}`);
    return found;
  }
  // `instanceof` does not work here: an element in a frame belongs to the class of another window.
  if ((Object(target) as Partial<Element>).nodeType === 1) return target as Element;
  throw wrong("target", "a selector, an element or nothing", target);
}

function appendToBody(element: NitkaElement, layout: "inline" | "launcher"): void {
  const container = document.createElement("div");
  container.setAttribute(CONTAINER_ATTRIBUTE, "");
  // An inline widget fills its container, whose height would be zero. It gets the height of the window.
  if (layout === "inline") container.style.height = "100dvh";
  container.append(element);
  if (document.body) return document.body.append(container);
  // A script in the head runs before the body exists.
  const append = () => {
    // The widget may have been destroyed meanwhile.
    if (container.contains(element)) document.body.append(container);
  };
  return document.addEventListener("DOMContentLoaded", append, { once: true });
}
