import type { AppPlace } from "./element/app.ts";
import type { ConnectOptions } from "./transport/connect.ts";
import { hostCredential } from "./transport/credential.ts";
import type { ConfigOptions } from "./transport/fetch-config.ts";
import { requestConfig } from "./transport/fetch-config.ts";

/**
 * What a widget's requests need of its options and of the page. The config is requested at once, while the app loads: one
 * would otherwise wait for one after the other.
 */
export function connectOptions({
  options,
  signal,
  visitorToken,
}: Pick<AppPlace, "options" | "signal" | "visitorToken">): Omit<ConnectOptions, "storage"> {
  const { visitorToken: named, ...rest } = options;
  const wire = {
    ...rest,
    hostCredential: named ? hostCredential(visitorToken) : undefined,
    pageUrl: location.href,
    // Looked up at each request: a page may replace `fetch`.
    fetch: (...request) => globalThis.fetch(...request),
    storage: { read: readStored },
    // A page may have removed the console's methods.
    warn: (text) => globalThis.console.warn?.(text),
    signal,
  } satisfies ConfigOptions & Omit<ConnectOptions, "response" | "storage">;
  const response = requestConfig(wire);
  // A widget that ends before its app has loaded gets no «unhandled rejection».
  response.catch(() => undefined);
  return { ...wire, response };
}

/** A page's settings may forbid the storage. */
function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
