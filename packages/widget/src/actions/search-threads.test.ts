// @vitest-environment node
import type { Thread } from "@nitka/protocol";
import { expect, it, vi } from "vitest";
import { HttpError } from "../transport/http-error.ts";
import { SEARCH_PAUSE_MS } from "../timings.ts";
import { startScriptedChat } from "./scripted-chat.ts";

const threads: readonly Thread[] = ["Погода", "Доставка", "Погода завтра"].map((title, index) => ({
  threadId: `t${index + 1}`,
  title,
  updatedAt: `2026-03-0${9 - index}T10:00:00.000Z`,
}));

/** A chat whose searches wait for the test. */
async function startSearchable() {
  vi.useFakeTimers();
  const asked: { readonly query: string; readonly gate: PromiseWithResolvers<void> }[] = [];
  const chat = await startScriptedChat(
    {
      threads,
      before(call, page) {
        const { query } = (page ?? {}) as { readonly query?: string };
        if (call !== "listThreads" || query === undefined) return undefined;
        const gate = Promise.withResolvers<void>();
        asked.push({ query, gate });
        return gate.promise;
      },
    },
    { features: { search: true } },
  );
  await import("./search-threads.ts");
  return {
    ...chat,
    asked,
    /** Types a query and waits until the backend is asked. */
    search: async (query: string) => {
      const searched = chat.actions.searchThreads(query);
      await vi.advanceTimersByTimeAsync(SEARCH_PAUSE_MS);
      return { searched };
    },
    shown: () => {
      const { search } = chat.store.get().threads;
      return search && [search.query, search.load.status, ...search.hits.map(({ title }) => title)];
    },
  };
}

it("a query is sent when the visitor pauses typing, and the list does not change", async () => {
  const { actions, asked, shown, search, store } = await startSearchable();
  const { items } = store.get().threads;
  void actions.searchThreads("п");
  await vi.advanceTimersByTimeAsync(SEARCH_PAUSE_MS - 1);
  const { searched } = await search(" погода ");
  expect([asked.map(({ query }) => query), shown()]).toEqual([["погода"], [" погода ", "loading"]]);
  asked[0]?.gate.resolve();
  await searched;
  expect(shown()).toEqual([" погода ", "ready", "Погода", "Погода завтра"]);
  expect(store.get().threads.items).toBe(items);
  await search("погода");
  expect([asked.length, shown()?.[1]]).toEqual([1, "ready"]);
});

it("an answer or a failure that comes after another query, or after the end of the search, changes nothing", async () => {
  const { asked, shown, search, actions, events } = await startSearchable();
  const first = await search("погода");
  const second = await search("доставка");
  asked[1]?.gate.resolve();
  await second.searched;
  asked[0]?.gate.resolve();
  await first.searched;
  expect(shown()).toEqual(["доставка", "ready", "Доставка"]);
  const third = await search("сбой");
  await actions.searchThreads("  ");
  asked[2]?.gate.reject(new HttpError("HTTP 500", { status: 500 }));
  await third.searched;
  expect([shown(), events.filter(({ type }) => type === "error")]).toEqual([undefined, []]);
});

it("a failure is kept with its query, and the same query can be asked again", async () => {
  const { asked, shown, search, store } = await startSearchable();
  const { searched } = await search("погода");
  asked[0]?.gate.reject(new HttpError("HTTP 500", { status: 500 }));
  await searched;
  expect(store.get().threads.search).toEqual({
    query: "погода",
    load: { status: "failed", failure: { kind: "http", detail: "HTTP 500" } },
    hits: [],
  });
  const again = await search("погода");
  asked[1]?.gate.resolve();
  await again.searched;
  expect(shown()).toEqual(["погода", "ready", "Погода", "Погода завтра"]);
});
