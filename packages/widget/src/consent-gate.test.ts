// @vitest-environment node
import { expect, it } from "vitest";
import type { ActionContext } from "./actions/action-context.ts";
import type { Actions } from "./actions/actions.ts";
import { openConsent } from "./consent-gate.ts";
import { createStore } from "./store/create-store.ts";
import { initialState } from "./store/initial-state.ts";
import type { Connection } from "./transport/connect.ts";
import type { Transport } from "./transport/transport.ts";

/** A gate whose backend keeps no agreements, with the requests that it let through. */
async function gate() {
  const sent: string[] = [];
  const transport = {
    renameThread: async (_: string, title: string) => void sent.push(title),
    sendFeedback: async () => void sent.push("rating"),
  } as unknown as Transport;
  const consent = { text: "Согласие", version: "1" };
  const opened = await openConsent({
    consent,
    connection: { api: {} as Connection["api"], config: {}, transport, subject: async () => "" },
    storage: { read: () => undefined, write: () => undefined, remove: () => undefined },
    project: "p",
  });
  const store = createStore(
    initialState({ config: {}, sidebarOpen: true, compact: false, panelOpen: true }),
    (callback) => callback(0),
  );
  const actions = {
    renameThread: (threadId: string, title: string) => opened.transport.renameThread(threadId, title),
    rate: () => opened.transport.sendFeedback?.("t1", "a", { rating: "up" }),
  } as unknown as Actions;
  const context = { store, focusComposer: () => undefined, signal: new AbortController().signal };
  return { store, sent, actions: opened.guard(actions, context as unknown as ActionContext) };
}

it.each<[string, (actions: Actions) => Promise<unknown>]>([
  ["a title", (actions) => actions.renameThread("t1", "Название")],
  ["a rating", (actions) => actions.rate("t1", "a", { rating: "up" })],
])("%s that waits for the agreement asks for it, and goes once it is there", async (_, act) => {
  const { store, sent, actions } = await gate();
  expect(store.get().consent?.isAwaited).toBe(false);
  const done = act(actions);
  expect(store.get().consent?.isAwaited).toBe(true);
  expect(sent).toEqual([]);
  await actions.send(undefined);
  await done;
  expect(sent).toHaveLength(1);
  expect(store.get().consent).toBeUndefined();
  // Nothing is asked for again.
  await act(actions);
  expect(store.get().consent).toBeUndefined();
});
