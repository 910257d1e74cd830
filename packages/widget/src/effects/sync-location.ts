import type { Actions } from "../actions/actions.ts";
import type { Store } from "../store/create-store.ts";
import type { ChatState } from "../store/state.ts";
import type { AddressRules } from "./thread-address.ts";
import { addressOf, isWidgetAddress, threadIn } from "./thread-address.ts";

interface LocationOptions {
  readonly store: Store<ChatState>;
  readonly actions: Pick<Actions, "selectThread">;
  readonly rules: AddressRules;
  readonly window: Pick<Window, "location" | "history" | "addEventListener" | "removeEventListener">;
}

/** Writes the active thread into the address, and opens the thread that the visitor navigates to. */
export function syncLocation({ store, actions, rules, window }: LocationOptions): () => void {
  if (rules.routing === "none") return () => undefined;
  let lastId: string | undefined;

  const isKnown = (threadId: string | undefined) =>
    store.get().threads.items.some((thread) => thread.threadId === threadId);

  /** A step from thread to thread adds an entry to the browser's history. Any other address is replaced. */
  const write = (threadId: string) => {
    const { location, history } = window;
    const addressed = threadIn(location, rules);
    if (addressed === threadId) return;
    try {
      // The page's own router may store data in the state.
      history[isKnown(addressed) ? "pushState" : "replaceState"](
        history.state,
        "",
        addressOf(threadId, location, rules),
      );
    } catch {
      // A frame of `srcdoc` or a sandbox has an address that cannot be changed.
    }
  };

  const onState = () => {
    const { activeId } = store.get().threads;
    if (activeId === undefined || activeId === lastId) return;
    // The address at which the widget starts is replaced in any case. Later the page may navigate to its own routes.
    const mayWrite = lastId === undefined || isWidgetAddress(window.location, rules);
    lastId = activeId;
    if (mayWrite) write(activeId);
  };

  const onNavigation = () => {
    const { load, activeId } = store.get().threads;
    if (load.status !== "ready" || !isWidgetAddress(window.location, rules)) return;
    const threadId = threadIn(window.location, rules);
    if (threadId === activeId) return;
    if (threadId !== undefined && isKnown(threadId)) {
      lastId = threadId;
      void actions.selectThread(threadId);
    } else if (activeId !== undefined) {
      write(activeId);
    }
  };

  onState();
  const unsubscribe = store.subscribe(onState);
  window.addEventListener("popstate", onNavigation);
  window.addEventListener("hashchange", onNavigation);
  return () => {
    unsubscribe();
    window.removeEventListener("popstate", onNavigation);
    window.removeEventListener("hashchange", onNavigation);
  };
}
