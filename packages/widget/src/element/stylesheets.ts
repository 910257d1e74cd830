import { STYLESHEET_TIMEOUT_MS } from "../timings.ts";

/** What dresses the widget, and what dresses answers, each in its order. */
const SHELL = ["base", "main"];
const ANSWERS = ["markdown", "markdown-dot"];

/** Both resolve when each of their stylesheets has loaded or failed: before, a view would be seen without its clothes. */
export interface Stylesheets {
  readonly shell: Promise<void>;
  /** Links those of answers when it is first asked. */
  readonly answers: () => Promise<void>;
}

/**
 * Links the four stylesheets into a shadow root: two at once, and two when there are answers to be shown.
 *
 * @param nonce the script's own, for pages that let in only what bears it
 * @param signal aborted when the widget ends
 */
export function linkStylesheets(root: ShadowRoot, baseUrl: string, nonce: string, signal: AbortSignal): Stylesheets {
  const link = async (names: readonly string[]): Promise<void> => {
    const loaded = names.map((name) => {
      const sheet = document.createElement("link");
      sheet.rel = "stylesheet";
      sheet.href = new URL(`${name}.css`, baseUrl).href;
      if (nonce !== "") sheet.nonce = nonce;
      root.append(sheet);
      return new Promise<void>((resolve) => {
        for (const type of ["load", "error"]) sheet.addEventListener(type, () => resolve(), { once: true });
      });
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, STYLESHEET_TIMEOUT_MS);
      // Out of the page nothing loads, and nothing waits.
      signal.addEventListener("abort", () => root.isConnected || resolve());
    });
    await Promise.race([Promise.all(loaded), patience]);
    clearTimeout(timer);
  };
  let answers: Promise<void> | undefined;
  return { shell: link(SHELL), answers: () => (answers ??= link(ANSWERS)) };
}
