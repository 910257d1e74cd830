import type { Actions } from "../actions/actions.ts";

/**
 * Sets the state's `offline` as the device loses and regains its network. Reconnects when the device is online again, and
 * when the page returns from the back/forward cache, which has closed its connections. Refreshes when the visitor comes
 * back to the page from another tab, window or program.
 */
export function watchConnection(
  actions: Pick<Actions, "setOffline" | "reconnect" | "refresh">,
  signal: AbortSignal,
): void {
  const update = () => actions.setOffline(!navigator.onLine);
  const onOnline = () => {
    update();
    actions.reconnect();
  };
  const onReturn = () => {
    if (!document.hidden) void actions.refresh();
  };
  update();
  window.addEventListener("online", onOnline, { signal });
  window.addEventListener("offline", update, { signal });
  window.addEventListener("pageshow", (event) => event.persisted && onOnline(), { signal });
  window.addEventListener("focus", onReturn, { signal });
  document.addEventListener("visibilitychange", onReturn, { signal });
}
