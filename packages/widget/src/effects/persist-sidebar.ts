import { readCookie, writeCookie } from "../browser/cookie.ts";
import type { Store } from "../store/create-store.ts";
import type { ChatState } from "../store/state.ts";

const COOKIE = "sidebar_state";

/** Seven days, in seconds. */
const MAX_AGE = 604_800;

/** Whether the visitor left the sidebar expanded. True until they collapse it. */
export function readSidebarOpen(): boolean {
  return readCookie(COOKIE) !== "false";
}

/** Remembers in a cookie whether the sidebar is expanded, from the visitor's first change on. */
export function persistSidebar(store: Store<ChatState>): () => void {
  let { open } = store.get().sidebar;
  return store.subscribe(() => {
    const isOpen = store.get().sidebar.open;
    if (isOpen === open) return;
    open = isOpen;
    writeCookie(COOKIE, String(open), MAX_AGE);
  });
}
