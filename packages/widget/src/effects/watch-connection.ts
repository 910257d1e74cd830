import type { Actions } from "../actions/actions.ts";

/**
 * Sets the state's `offline` when the device loses or regains its network. Reconnects and refreshes when the device is online
 * again, and when the page returns from the back/forward cache, which has closed its connections.
 */
export function watchConnection(
  actions: Pick<Actions, "setOffline" | "reconnect" | "refresh">,
  signal: AbortSignal,
): void {
  const update = () => actions.setOffline(!navigator.onLine);
  const onOnline = () => {
    update();
    actions.reconnect();
    void actions.refresh();
  };
  update();
  window.addEventListener("online", onOnline, { signal });
  window.addEventListener("offline", update, { signal });
  window.addEventListener("pageshow", (event) => event.persisted && onOnline(), { signal });
}
