import { createSafeStorage } from "./browser/storage.ts";
import type { AppPlace } from "./element/app.ts";
import type { ConnectOptions } from "./transport/connect.ts";
import { hostCredential } from "./transport/credential.ts";

/** What a widget's calls need of its place and of the page. */
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
    fetch: (...request) => globalThis.fetch(...request),
    storage: createSafeStorage(() => globalThis.localStorage),
    // A page may have taken the console's methods away: what is to be logged must not stop what is to be done.
    warn: (text) => globalThis.console.warn?.(text),
    signal,
  } satisfies ConnectOptions;
}
