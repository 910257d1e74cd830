/**
 * The widget as a package: `init` adds one to the page, and `define` defines `<nitka-chat>` for markup. The import has no side
 * effects, so a server may import it.
 *
 * @example
 * import { init } from "@nitka/widget";
 * const nitka = init({ target: "#chat", proxyUrl: "https://chat.example" });
 */
import { createInit } from "../init.ts";
import type { NitkaHandle, NitkaOptions } from "../options.ts";
import { definePackagedElement } from "./define-packaged-element.ts";

export type * from "../index.ts";

/** Adds a widget to the page; see {@link NitkaOptions}. Throws if an option is wrong or the target does not exist. */
export function init(options?: NitkaOptions): NitkaHandle {
  if (typeof document === "undefined") {
    throw new Error("Nitka: init needs a page. On a server, call it later, in the browser: in an effect, for example.");
  }
  return createInit(definePackagedElement())(options);
}

/** Defines `<nitka-chat>` without adding a widget to the page. On a server it does nothing. */
export function define(): void {
  if (typeof customElements !== "undefined") definePackagedElement();
}
