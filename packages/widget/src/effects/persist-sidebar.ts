import { readCookie, writeCookie } from "../browser/cookie.ts";
import type { Store } from "../store/create-store.ts";
import type { ChatState } from "../store/state.ts";

const COOKIE = "sidebar_state";

/** Seven days. */
const MAX_AGE = 604_800;

/** Whether the visitor left the sidebar expanded; it is, until they collapse it. */
export function readSidebarOpen(): boolean {
  return readCookie(COOKIE) !== "false";
}

/** Remembers whether the sidebar is expanded, from the visitor's first change on. */
export function persistSidebar(store: Store<ChatState>): () => void {
  let { open } = store.get().sidebar;
  return store.subscribe(() => {
    const now = store.get().sidebar.open;
    if (now === open) return;
    open = now;
    writeCookie(COOKIE, String(open), MAX_AGE);
  });
}
