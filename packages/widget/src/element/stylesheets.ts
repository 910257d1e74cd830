/** The widget's styles, in their order. */
const NAMES = ["base", "markdown", "markdown-dot", "main"];

/** A stylesheet that does not come must not keep the widget away for ever. */
const PATIENCE_MS = 5000;

/**
 * Links the four stylesheets into a shadow root.
 *
 * @param nonce the script's own, for pages that let in only what bears it
 * @returns resolves when each has loaded or failed: before, the widget would be seen without its clothes
 */
export async function linkStylesheets(root: ShadowRoot, baseUrl: string, nonce: string): Promise<void> {
  const loaded = NAMES.map((name) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = new URL(`${name}.css`, baseUrl).href;
    if (nonce !== "") link.nonce = nonce;
    root.append(link);
    return new Promise<void>((resolve) => {
      for (const type of ["load", "error"]) link.addEventListener(type, () => resolve(), { once: true });
    });
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([Promise.all(loaded), patience]);
  clearTimeout(timer);
}
