import type { App } from "./app.ts";

/** Calls of the handle whose promise is not settled, in order: how each is rejected, and begun if it was not. */
export type HostCalls = Map<(reason: Error) => void, ((app: App) => void) | undefined>;

export function beginCalls(calls: HostCalls, app: App): void {
  for (const [reject, begin] of calls) {
    calls.set(reject, undefined);
    begin?.(app);
  }
}

/** Rejects those that have begun, and leaves the others to the next widget; or rejects all. */
export function rejectCalls(calls: HostCalls, reason: Error, isEach?: boolean): void {
  for (const [reject, begin] of calls) if (isEach || !begin) reject(reason);
}
