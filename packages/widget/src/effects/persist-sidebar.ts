import type { Store } from "../store/create-store.ts";
import type { ChatState } from "../store/state.ts";
import { watchValue } from "../store/create-store.ts";

const COOKIE = "sidebar_state";

/** Seven days, in seconds. */
const MAX_AGE = 604_800;

/** Whether the visitor left the sidebar expanded. True until they collapse it. */
export function readSidebarOpen(): boolean {
  return readCookie(COOKIE) !== "false";
}

/** Stores in a cookie whether the sidebar is expanded, from the visitor's first change on. */
export function persistSidebar(store: Store<ChatState>): () => void {
  return watchValue(
    store,
    ({ sidebar }) => sidebar.open,
    (isOpen) => writeCookie(COOKIE, String(isOpen), MAX_AGE),
  );
}

/** A cookie's value; `undefined` if there is none or the page may not read cookies. */
function readCookie(name: string): string | undefined {
  try {
    const pair = document.cookie.split("; ").find((candidate) => candidate.startsWith(`${name}=`));
    return pair === undefined ? undefined : decodeURIComponent(pair.slice(name.length + 1));
  } catch {
    return undefined;
  }
}

/** Sets a cookie for the whole site. Does nothing if the page may not set cookies. `maxAge` is in seconds. */
function writeCookie(name: string, value: string, maxAge: number): void {
  try {
    document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${maxAge}; SameSite=Lax`;
  } catch {
    // In a sandboxed frame the setter throws. The widget then stores nothing.
  }
}
