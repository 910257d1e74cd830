import { createSafeStorage } from "./browser/storage.ts";
import type { AppPlace } from "./element/app.ts";
import type { ConnectOptions } from "./transport/connect.ts";
import { hostCredential } from "./transport/credential.ts";

/** What a widget's requests need of its options and of the page. */
export function connectOptions({
  options,
  signal,
  visitorToken,
}: Pick<AppPlace, "options" | "signal" | "visitorToken">) {
  const { visitorToken: named, ...rest } = options;
  return {
    ...rest,
    ...(named !== undefined && { hostCredential: hostCredential(visitorToken) }),
    pageUrl: location.href,
    // Looked up at each request: a page may replace `fetch`.
    fetch: (...request) => globalThis.fetch(...request),
    storage: createSafeStorage(() => globalThis.localStorage),
    // A page may have removed the console's methods.
    warn: (text) => globalThis.console.warn?.(text),
    signal,
  } satisfies ConnectOptions;
}
