import { STYLESHEET_RETRY_MAX_MS, STYLESHEET_RETRY_MS, STYLESHEET_TIMEOUT_MS } from "../timings.ts";

/**
 * Loads stylesheets and resolves with whether they have loaded. A failure or a slow load does not block the view. Failed
 * stylesheets are requested again until they load.
 */
export function loadStyles(load: () => Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, STYLESHEET_TIMEOUT_MS, false);
    const stopLimit = () => clearTimeout(limit);
    signal.addEventListener("abort", stopLimit);
    const attempt = (ms: number) => {
      const retry = () => {
        clearTimeout(timer);
        removeEventListener("online", retry);
        if (!signal.aborted) attempt(Math.min(4 * ms, STYLESHEET_RETRY_MAX_MS));
      };
      let timer: ReturnType<typeof setTimeout>;
      const fail = () => {
        resolve(false);
        if (signal.aborted) return;
        timer = setTimeout(retry, ms);
        addEventListener("online", retry);
        signal.addEventListener("abort", retry, { once: true });
      };
      load()
        .then(() => resolve(true), fail)
        .finally(stopLimit);
    };
    attempt(STYLESHEET_RETRY_MS);
  });
}
