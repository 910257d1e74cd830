import { afterEach, expect, it, vi } from "vitest";
import { createSafeStorage, storedKeys } from "../browser/storage.ts";
import { changeDraft, setText } from "../store/composer.ts";
import { createStore } from "../store/create-store.ts";
import { initialState } from "../store/initial-state.ts";
import * as code from "./persist-drafts.ts";
import { loadPersistDrafts } from "./load-persist-drafts.ts";

const session = () => globalThis.sessionStorage;
afterEach(() => session().clear());

function openPage(project: string) {
  const store = createStore(
    initialState({ config: {}, sidebarOpen: true, compact: false, panelOpen: true }),
    (callback) => callback(0),
  );
  const { signal } = new AbortController();
  const drafts = loadPersistDrafts({
    loadCode: () => Promise.resolve(code),
    store,
    signal,
    storage: createSafeStorage(session),
    storedKeys: (prefix) => storedKeys(session, prefix),
    project,
    subject: () => Promise.resolve(""),
    pictureOf: ({ url }) => Promise.resolve(url),
    after: () => () => undefined,
  });
  return {
    ...drafts,
    async write(threadId: string) {
      drafts.begin();
      await new Promise((resolve) => setTimeout(resolve));
      store.set((state) => changeDraft(state, threadId, (draft) => setText(draft, "Недописанное")));
    },
  };
}

it("keeps each draft once, however often the visitor begins to write while its code and the token hang and fail", async () => {
  vi.useFakeTimers();
  const store = createStore(
    initialState({ config: {}, sidebarOpen: true, compact: false, panelOpen: true }),
    (callback) => callback(0),
  );
  const storage = createSafeStorage(session);
  const write = vi.fn<typeof storage.write>();
  const loads: PromiseWithResolvers<typeof code>[] = [];
  const subscribe = vi.spyOn(store, "subscribe");
  const drafts = loadPersistDrafts({
    loadCode: () => {
      const load = Promise.withResolvers<typeof code>();
      loads.push(load);
      return load.promise;
    },
    store,
    signal: new AbortController().signal,
    storage: { ...storage, write },
    storedKeys: () => [],
    project: "shop",
    subject: () => (loads.length < 3 ? Promise.reject(new Error("no token")) : Promise.resolve("")),
    pictureOf: ({ url }) => Promise.resolve(url),
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  });
  const begin = async () => {
    for (let time = 0; time < 3; time += 1) {
      drafts.begin();
      await vi.advanceTimersByTimeAsync(20_000);
    }
  };
  await begin();
  expect(loads).toHaveLength(1);
  loads[0]?.reject(new Error("Failed to fetch"));
  await begin();
  loads[1]?.resolve(code);
  await begin();
  loads[2]?.resolve(code);
  await begin();
  expect([loads.length, subscribe.mock.calls.length]).toEqual([3, 1]);
  store.set((state) => changeDraft(state, "t1", (draft) => setText(draft, "Недописанное")));
  expect(write).toHaveBeenCalledOnce();
  vi.useRealTimers();
});

it("removes the drafts of the project that earlier pages have stored, and none of another project", async () => {
  await openPage("shop").write("t1");
  await openPage("shop-2").write("t2");
  expect(storedKeys(session, "nitka:")).toHaveLength(2);
  openPage("shop").forget();
  expect(storedKeys(session, "nitka:")).toEqual([expect.stringContaining("shop-2")]);
});
