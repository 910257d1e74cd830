import { act } from "react";
import { expect, test, vi } from "vitest";
import type { Actions } from "../../actions/actions.ts";
import { overrideWords } from "../../i18n/override-words.ts";
import { ru } from "../../i18n/locales/ru.ts";
import { AnnouncerProvider } from "../primitives/announcer.tsx";
import { renderChat } from "../scripted-chat.tsx";
import { ThreadSearch } from "./thread-search.tsx";

test("a search whose code does not load says so, and «Повторить» searches again", async () => {
  const queries: string[] = [];
  const searchThreads: Actions["searchThreads"] = async (query) => {
    queries.push(query);
    if (queries.length === 1) throw new TypeError("Failed to fetch dynamically imported module");
  };
  const chat = renderChat(<ThreadSearch />, {}, { actions: { searchThreads } as Actions });
  const field = chat.root.querySelector("input");
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, "погода");
    field?.dispatchEvent(new Event("input", { bubbles: true }));
  });
  const note = () => chat.root.querySelector(".failure-note");
  expect(note()?.textContent).toContain("выполнить поиск");
  await act(async () => note()?.querySelector("button")?.click());
  expect(queries).toEqual(["погода", "погода"]);
  expect(note()).toBeNull();
  chat.unmount();
});

test("how many were found is announced in the locale's words where the page's own function fails", async () => {
  const own = {
    "search.found": () => {
      throw new Error("no plural");
    },
  };
  const words = overrideWords(ru, own, () => undefined);
  const view = (
    <AnnouncerProvider>
      <ThreadSearch />
    </AnnouncerProvider>
  );
  vi.useFakeTimers();
  const chat = renderChat(view, {}, { words });
  const hits = [{ threadId: "t1", updatedAt: "2026-11-21T10:00:00" }];
  chat.set((state) => ({
    ...state,
    threads: { ...state.threads, search: { query: "погода", load: { status: "ready" }, hits } },
  }));
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(chat.root.querySelector("[aria-live]")?.textContent).toContain("Найден 1\u00a0чат.");
  chat.unmount();
  vi.useRealTimers();
});
