/**
 * The widget as a module: `init` puts one into the page, and defines `<nitka-chat>` for the page's own markup. Importing
 * it touches nothing, so that a server may.
 *
 * @example
 * import { init } from "@nitka/widget";
 * const nitka = init({ target: "#chat", proxyUrl: "https://chat.example" });
 */
import { defineElement } from "./element/nitka-element.ts";
import type { NitkaElement } from "./element/nitka-element.ts";
import { createInit } from "./init.ts";
import { loadChunk } from "./load-chunk.ts";
import type { NitkaHandle, NitkaOptions } from "./options.ts";

export type { NitkaWords } from "./i18n/nitka-words.ts";
export type { NitkaElement } from "./element/nitka-element.ts";
export type {
  ColorScheme,
  NitkaCallbacks,
  NitkaCommands,
  NitkaEvents,
  NitkaHandle,
  NitkaOptions,
  SendOptions,
  SentQuestion,
} from "./options.ts";
export type { VisitorToken } from "./transport/credential.ts";

declare global {
  interface HTMLElementTagNameMap {
    "nitka-chat": NitkaElement;
  }
}

const environment = {
  scriptUrl: import.meta.url,
  nonce: "",
  loadApp: loadChunk(() => import("./create-app.tsx")),
  loadLauncher: loadChunk(() => import("./launcher.ts")),
  loadRefusal: loadChunk(() => import("./old-browser.ts")),
};

/** Puts a widget into the page; see {@link NitkaOptions}. Throws what is wrong with its options. */
export function init(options?: NitkaOptions): NitkaHandle {
  return createInit(environment)(options);
}

/** Defines `<nitka-chat>` without putting one anywhere. */
export function define(): void {
  defineElement(environment);
}
