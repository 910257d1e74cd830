import type { ElementEnvironment } from "./element/nitka-element.ts";
import { CONTAINER_ATTRIBUTE, defineElement, TAG } from "./element/nitka-element.ts";
import { optionNames } from "./element/element-options.ts";
import type { NitkaElement } from "./element/nitka-element.ts";
import type { NitkaHandle, NitkaOptions } from "./options.ts";
import { readOptions, wrong } from "./options.ts";

/** Puts a widget into the page. */
export type Init = (options?: NitkaOptions) => NitkaHandle;

/**
 * `init` for widgets whose parts come from this environment. It answers at once, and throws what is wrong with its
 * options: `Target not found: #chat`, or a TypeError that names the option.
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
    const found = select(target);
    if (!found) throw new Error(`Target not found: ${target}`);
    return found;
  }
  // By its shape: an element of a frame is of another window's class.
  if (typeof target === "object" && "nodeType" in target && target.nodeType === 1) return target as Element;
  throw wrong("target", "a selector, an element or nothing", target);
}

function select(selector: string): Element | null {
  try {
    return document.querySelector(selector);
  } catch {
    return null;
  }
}

function appendToBody(element: NitkaElement, layout: "inline" | "launcher"): void {
  const container = document.createElement("div");
  container.setAttribute(CONTAINER_ATTRIBUTE, "");
  // A container of ours has no height that an inline widget could fill: it is as high as the window.
  if (layout === "inline") container.style.height = "100dvh";
  container.append(element);
  if (document.body) return document.body.append(container);
  // Called from a script in the head: the body is still to come.
  const append = () => {
    // Unless it has been destroyed meanwhile.
    if (container.contains(element)) document.body.append(container);
  };
  return document.addEventListener("DOMContentLoaded", append, { once: true });
}
