import { afterEach, expect, it } from "vitest";
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
    visitorToken: () => Promise.resolve(undefined),
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

it("removes the drafts of the project that earlier pages have stored, and none of another project", async () => {
  await openPage("shop").write("t1");
  await openPage("shop-2").write("t2");
  expect(storedKeys(session, "nitka:")).toHaveLength(2);
  openPage("shop").forget();
  expect(storedKeys(session, "nitka:")).toEqual([expect.stringContaining("shop-2")]);
});
