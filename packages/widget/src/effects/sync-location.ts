import type { Actions } from "../actions/actions.ts";
import type { Store } from "../store/create-store.ts";
import type { ChatState } from "../store/state.ts";
import type { AddressRules } from "./thread-address.ts";
import { addressOf, isOurs, threadIn } from "./thread-address.ts";

interface LocationOptions {
  readonly store: Store<ChatState>;
  readonly actions: Pick<Actions, "selectThread">;
  readonly rules: AddressRules;
  readonly window: Pick<Window, "location" | "history" | "addEventListener" | "removeEventListener">;
}

/** Keeps the address and the active thread in step, both ways. */
export function syncLocation({ store, actions, rules, window }: LocationOptions): () => void {
  if (rules.routing === "none") return () => undefined;
  let shown: string | undefined;

  const isKnown = (threadId: string | undefined) =>
    store.get().threads.items.some((thread) => thread.threadId === threadId);

  /** A step that the visitor can go back from leads from thread to thread; everything else is put right in place. */
  const write = (threadId: string) => {
    const { location, history } = window;
    const before = threadIn(location, rules);
    if (before === threadId) return;
    // What a router of the page keeps in the state stays.
    history[isKnown(before) ? "pushState" : "replaceState"](history.state, "", addressOf(threadId, location, rules));
  };

  const onState = () => {
    const { activeId } = store.get().threads;
    if (activeId === undefined || activeId === shown) return;
    // The address that the widget began at gives way to its own; those that the page goes to later do not.
    const mayWrite = shown === undefined || isOurs(window.location, rules);
    shown = activeId;
    if (mayWrite) write(activeId);
  };

  const onTravel = () => {
    const { load, activeId } = store.get().threads;
    if (load.status !== "ready" || !isOurs(window.location, rules)) return;
    const threadId = threadIn(window.location, rules);
    if (threadId === activeId) return;
    if (threadId !== undefined && isKnown(threadId)) {
      shown = threadId;
      void actions.selectThread(threadId);
    } else if (activeId !== undefined) {
      write(activeId);
    }
  };

  onState();
  const unsubscribe = store.subscribe(onState);
  window.addEventListener("popstate", onTravel);
  window.addEventListener("hashchange", onTravel);
  return () => {
    unsubscribe();
    window.removeEventListener("popstate", onTravel);
    window.removeEventListener("hashchange", onTravel);
  };
}
