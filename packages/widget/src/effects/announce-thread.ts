import type { Store } from "../store/create-store.ts";
import type { ChatState } from "../store/state.ts";

/** Notifies the host whenever another thread becomes the active one. */
export function announceThread(store: Store<ChatState>, onChange: (threadId: string) => void): () => void {
  let lastId = store.get().threads.activeId;
  return store.subscribe(() => {
    const { activeId } = store.get().threads;
    if (activeId === undefined || activeId === lastId) return;
    lastId = activeId;
    onChange(activeId);
  });
}
