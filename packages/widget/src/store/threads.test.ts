// @vitest-environment node
import { expect, it } from "vitest";
import { initialState } from "./initial-state.ts";
import { refreshThreads, setThreads } from "./threads.ts";

const thread = (index: number, title = `Чат ${index}`) => ({
  threadId: `t${index}`,
  title,
  updatedAt: new Date(Date.UTC(2026, 0, 400 - index)).toISOString(),
});

it("loading a page of the list again keeps every equal entry, so that its row does not render again", () => {
  const start = initialState({ config: {}, sidebarOpen: true, compact: false, panelOpen: true });
  const page = (changed?: number) =>
    Array.from({ length: 200 }, (_, index) => thread(index, index === changed ? "Новое" : undefined));
  const before = setThreads(start, page());
  const kept = (after: typeof before) =>
    after.threads.items.filter((item, index) => item === before.threads.items[index]).length;
  expect(kept(refreshThreads(before, page()))).toBe(200);
  expect(kept(refreshThreads(before, page(7)))).toBe(199);
  // The page is equal, so the state stays the same object and no listener is notified.
  expect(refreshThreads(before, page())).toBe(before);
});
