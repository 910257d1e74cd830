import type { Store } from "../store/create-store.ts";
import type { ChatState } from "../store/state.ts";

/** Notifies the host whenever the launcher's panel opens or closes. */
export function announcePanel(store: Store<ChatState>, onChange: (isOpen: boolean) => void): () => void {
  let { panelOpen } = store.get();
  return store.subscribe(() => {
    const isOpen = store.get().panelOpen;
    if (isOpen !== panelOpen) onChange((panelOpen = isOpen));
  });
}
