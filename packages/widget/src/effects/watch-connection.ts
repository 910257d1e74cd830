import type { Actions } from "../actions/actions.ts";

/**
 * Sets the state's `offline` as the device loses and regains its network. Reconnects when the device is online again, and
 * when the page returns from the back/forward cache, which has closed its connections.
 */
export function watchConnection(actions: Pick<Actions, "setOffline" | "reconnect">): () => void {
  const update = () => actions.setOffline(!navigator.onLine);
  const onOnline = () => {
    update();
    actions.reconnect();
  };
  const onPageShow = (event: PageTransitionEvent) => {
    if (event.persisted) onOnline();
  };
  update();
  window.addEventListener("online", onOnline);
  window.addEventListener("offline", update);
  window.addEventListener("pageshow", onPageShow);
  return () => {
    window.removeEventListener("online", onOnline);
    window.removeEventListener("offline", update);
    window.removeEventListener("pageshow", onPageShow);
  };
}
