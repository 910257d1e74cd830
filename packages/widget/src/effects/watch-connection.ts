import type { Actions } from "../actions/actions.ts";

/**
 * Tells when the device loses its network, and when the connection may be back: the device is online again, or the page
 * returns from the browser's cache.
 */
export function watchConnection(actions: Pick<Actions, "setOffline" | "reconnect">): () => void {
  const look = () => actions.setOffline(!navigator.onLine);
  const onOnline = () => {
    look();
    actions.reconnect();
  };
  const onPageShow = (event: PageTransitionEvent) => {
    if (event.persisted) onOnline();
  };
  look();
  window.addEventListener("online", onOnline);
  window.addEventListener("offline", look);
  window.addEventListener("pageshow", onPageShow);
  return () => {
    window.removeEventListener("online", onOnline);
    window.removeEventListener("offline", look);
    window.removeEventListener("pageshow", onPageShow);
  };
}
