import type { AppPlace } from "./element/app.ts";
import type { ConnectOptions } from "./transport/connect.ts";
import { hostCredential } from "./transport/credential.ts";
import type { ConfigOptions } from "./transport/fetch-config.ts";
import { requestConfig } from "./transport/fetch-config.ts";

/**
 * Reads from the options and the page what the widget's requests need. The config is requested at once, while the app loads, so
 * that the two downloads run in parallel.
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
    // `fetch` is looked up at each request, because a page may replace it.
    fetch: (...request) => globalThis.fetch(...request),
    storage: { read: readStored },
    // A page may have removed the console's methods.
    warn: (text) => globalThis.console.warn?.(text),
    signal,
  } satisfies ConfigOptions & Omit<ConnectOptions, "response" | "storage">;
  const response = requestConfig(wire);
  // This prevents an «unhandled rejection» when a widget ends before its app has loaded.
  response.catch(() => undefined);
  return { ...wire, response };
}

/** Browser settings may forbid the page to use the storage. */
function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
