/**
 * The widget as a module: `init` adds one to the page, and `define` defines `<nitka-chat>` for markup. The import has no
 * side effects, so a server may import it.
 *
 * @example
 * import { init } from "@nitka/widget";
 * const nitka = init({ target: "#chat", proxyUrl: "https://chat.example" });
 */
import { connectOptions } from "./connect-options.ts";
import { defineElement } from "./element/define-element.ts";
import type { NitkaElement } from "./element/element-options.ts";
import { linkStylesheets } from "./element/stylesheets.ts";
import { createInit } from "./init.ts";
import { loadChunk } from "./load-chunk.ts";
import type { NitkaElementEvents, NitkaHandle, NitkaOptions } from "./options.ts";

export type { NitkaWords } from "./i18n/nitka-words.ts";
export type { NitkaTool, NitkaTools, ToolCallInfo } from "./actions/tools/page-offer.ts";
export type { NitkaElement } from "./element/element-options.ts";
export type {
  ColorScheme,
  NitkaCallbacks,
  NitkaCommands,
  NitkaElementEvents,
  NitkaEvents,
  NitkaHandle,
  NitkaOptions,
  SendOptions,
  SentQuestion,
} from "./options.ts";
export type { VisitorToken } from "./transport/credential.ts";
export type {
  NitkaRenderer,
  NitkaRenderers,
  RenderedCode,
  RenderedData,
  RenderedTool,
  RenderedView,
  RendererApi,
  RendererResult,
} from "./ui/host-view/renderers.ts";

declare global {
  interface HTMLElementTagNameMap {
    "nitka-chat": NitkaElement;
  }
  /** The events bubble, so a listener on the document or the window hears them too. */
  interface GlobalEventHandlersEventMap extends NitkaElementEvents {}
}

const environment = {
  scriptUrl: import.meta.url,
  style: linkStylesheets(import.meta.url, ""),
  connectOptions,
  loadApp: loadChunk(() => import("./create-app.tsx")),
  loadLauncher: loadChunk(() => import("./launcher.ts")),
  loadRefusal: loadChunk(() => import("./old-browser.ts")),
};

/** Adds a widget to the page; see {@link NitkaOptions}. Throws if an option is wrong or the target does not exist. */
export function init(options?: NitkaOptions): NitkaHandle {
  return createInit(environment)(options);
}

/** Defines `<nitka-chat>` without adding a widget to the page. */
export function define(): void {
  defineElement(environment);
}
