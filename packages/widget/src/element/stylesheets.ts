import { deferred } from "./deferred.ts";
import { STYLESHEET_TIMEOUT_MS } from "../timings.ts";

/** The stylesheets of the widget and those of answers, in the order in which they are linked. */
const SHELL = ["base", "main"];
const ANSWERS = ["markdown", "markdown-dot"];

/**
 * Both promises resolve when their stylesheets have loaded, failed or timed out. A view is shown after that, so that no
 * unstyled content flashes.
 */
export interface Stylesheets {
  readonly shell: Promise<void>;
  /** The first call links the stylesheets of answers. */
  readonly answers: () => Promise<void>;
}

/**
 * Links the four stylesheets into a shadow root: two at once, two when the first answer is to be shown. The signal aborts
 * when the widget ends.
 *
 * @param baseUrl the script's own address: they are beside it
 * @param nonce the script's own, for pages whose content security policy asks for it; empty for none
 */
export function linkStylesheets(baseUrl: string, nonce: string) {
  return (root: ShadowRoot, signal: AbortSignal): Stylesheets => {
    const link = (names: readonly string[]): Promise<void> => {
      const { promise, resolve } = deferred<void>();
      const timer = setTimeout(resolve, STYLESHEET_TIMEOUT_MS);
      // Nothing loads in an element outside the page.
      signal.addEventListener("abort", () => root.isConnected || resolve());
      const settled = names.map(
        (name) =>
          new Promise((settle) => {
            const sheet = document.createElement("link");
            sheet.rel = "stylesheet";
            sheet.href = new URL(`${name}.css`, baseUrl).href;
            sheet.nonce = nonce;
            sheet.addEventListener("load", settle);
            sheet.addEventListener("error", settle);
            root.append(sheet);
          }),
      );
      return Promise.race([promise, Promise.all(settled)]).then(() => clearTimeout(timer));
    };
    let answers: Promise<void> | undefined;
    return { shell: link(SHELL), answers: () => (answers ??= link(ANSWERS)) };
  };
}
