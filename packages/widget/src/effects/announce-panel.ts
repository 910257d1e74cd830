import type { Store } from "../store/create-store.ts";
import type { ChatState } from "../store/state.ts";

/** Tells the host page whenever the launcher's panel opens or closes. */
export function announcePanel(store: Store<ChatState>, onChange: (isOpen: boolean) => void): () => void {
  let { panelOpen } = store.get();
  return store.subscribe(() => {
    const now = store.get().panelOpen;
    if (now !== panelOpen) onChange((panelOpen = now));
  });
}
