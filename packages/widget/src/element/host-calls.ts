import type { App } from "./app.ts";

/**
 * The unsettled calls of the handle, in order. Each has a function that rejects it, and one that starts it unless it has
 * started.
 */
export type HostCalls = Map<(reason: Error) => void, ((app: App) => void) | undefined>;

export function beginCalls(calls: HostCalls, app: App): void {
  for (const [reject, begin] of calls) {
    calls.set(reject, undefined);
    begin?.(app);
  }
}

/** Rejects the calls that have started and leaves the others to the next widget; with `isEach`, rejects all. */
export function rejectCalls(calls: HostCalls, reason: Error, isEach?: boolean): void {
  for (const [reject, begin] of calls) if (isEach || !begin) reject(reason);
}
