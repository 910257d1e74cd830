import { readCookie, writeCookie } from "../browser/cookie.ts";
import type { Store } from "../store/create-store.ts";
import type { ChatState } from "../store/state.ts";
import { watchValue } from "../store/watch-value.ts";

const COOKIE = "sidebar_state";

/** Seven days, in seconds. */
const MAX_AGE = 604_800;

/** Whether the visitor left the sidebar expanded. True until they collapse it. */
export function readSidebarOpen(): boolean {
  return readCookie(COOKIE) !== "false";
}

/** Remembers in a cookie whether the sidebar is expanded, from the visitor's first change on. */
export function persistSidebar(store: Store<ChatState>): () => void {
  return watchValue(
    store,
    ({ sidebar }) => sidebar.open,
    (isOpen) => writeCookie(COOKIE, String(isOpen), MAX_AGE),
  );
}
