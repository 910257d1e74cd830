import type { Store } from "../store/create-store.ts";
import type { ChatState } from "../store/state.ts";

/** Tells the host page whenever another thread is shown. */
export function announceThread(store: Store<ChatState>, onChange: (threadId: string) => void): () => void {
  let shown = store.get().threads.activeId;
  return store.subscribe(() => {
    const { activeId } = store.get().threads;
    if (activeId === undefined || activeId === shown) return;
    shown = activeId;
    onChange(activeId);
  });
}
