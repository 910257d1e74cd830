import { onceLoaded } from "../once-loaded.ts";

/**
 * The stylesheets of the widget, and those of answers. Each call resolves when its stylesheets have loaded. After a failure it
 * can be called again.
 */
export interface Stylesheets {
  readonly shell: () => Promise<unknown>;
  readonly answers: () => Promise<unknown>;
}

/**
 * Links the four stylesheets into a shadow root when they are requested. A stylesheet that failed is linked again in the same
 * place, because the order matters.
 *
 * @param baseUrl the script's own URL; the stylesheets are in the same folder
 * @param nonce the script's nonce, for pages whose content security policy requires it; empty for none
 */
export function linkStylesheets(baseUrl: string, nonce: string) {
  return (root: ShadowRoot): Stylesheets => {
    const together = (...names: readonly string[]) => {
      const loads = names.map((name) => {
        let sheet: HTMLLinkElement | undefined;
        const put = (query: string) =>
          new Promise((resolve, reject) => {
            const before = sheet;
            sheet = Object.assign(document.createElement("link"), {
              rel: "stylesheet",
              href: new URL(`${name}.css${query}`, baseUrl).href,
              nonce,
              onload: resolve,
              onerror: () => reject(new Error(`Nitka: ${name}.css could not be loaded.`)),
            });
            if (before) before.replaceWith(sheet);
            else root.append(sheet);
          });
        return onceLoaded(put);
      });
      return () => Promise.all(loads.map((load) => load()));
    };
    return { shell: together("base", "main"), answers: together("markdown", "markdown-dot") };
  };
}
