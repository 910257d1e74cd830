import { onceLoaded } from "../once-loaded.ts";

/** The stylesheets of the widget, and those of answers. Both calls resolve when theirs have loaded; after a failure call again. */
export interface Stylesheets {
  readonly shell: () => Promise<unknown>;
  readonly answers: () => Promise<unknown>;
}

/**
 * Links the four stylesheets into a shadow root, when they are asked for. One that has failed is linked anew in its place,
 * because their order counts.
 *
 * @param baseUrl the script's own address: they are beside it
 * @param nonce the script's own, for pages whose content security policy asks for it; empty for none
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
