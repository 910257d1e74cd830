import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import type { ThreadsState } from "../../store/state.ts";
import { renderChat } from "../scripted-chat.tsx";
import { ThreadList } from "./thread-list.tsx";

const threads: ThreadsState = {
  load: { status: "ready" },
  items: [
    { threadId: "t1", title: "Погода", updatedAt: "2026-11-21T10:00:00" },
    { threadId: "t2", title: " ", updatedAt: "2026-11-21T00:00:00" },
    { threadId: "t3", title: "Эссе", updatedAt: "2026-11-20T23:59:59" },
  ],
  activeId: "t1",
  typedTitles: {},
  older: { status: "none" },
  failures: {},
};

const list = <ThreadList />;

function groupsOf(root: ParentNode): unknown {
  return [...root.querySelectorAll(".thread-group")].map((group) => [
    group.querySelector("h3")?.textContent,
    [...group.querySelectorAll(".thread-title")].map((title) => title.textContent),
  ]);
}

function button(root: ParentNode, name: string, index = 0): HTMLElement {
  const found = [...root.querySelectorAll<HTMLElement>(`button[aria-label^="${name}"]`)][index];
  if (!found) throw new Error(`No button named "${name}".`);
  return found;
}

async function pressKey(field: Element, key: string, init: KeyboardEventInit = {}): Promise<void> {
  const press = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init });
  await act(async () => void field.dispatchEvent(press));
}

function write(field: HTMLInputElement, text: string): void {
  // React overrides the input's `value` setter to notice changes: only the prototype's setter bypasses it.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, text);
  act(() => void field.dispatchEvent(new Event("input", { bubbles: true })));
}

function fieldOf(root: ParentNode): HTMLInputElement {
  const field = root.querySelector<HTMLInputElement>(".rename-field");
  if (!field) throw new Error("No row is being renamed.");
  return field;
}

/** The field's code loads with the first title that is changed. */
async function beginRenaming(root: ParentNode): Promise<void> {
  await act(async () => {
    button(root, "Переименовать чат").click();
    await import("./rename-field.tsx");
  });
}

afterEach(() => {
  vi.useRealTimers();
});

test("threads are grouped into today and earlier, and untitled ones have the stand-in title", () => {
  const chat = renderChat(list, { threads });
  expect(groupsOf(chat.root)).toEqual([
    ["Сегодня", ["Погода", "New Chat"]],
    ["Ранее", ["Эссе"]],
  ]);
  chat.unmount();
});

test("at midnight the threads of today move to earlier", async () => {
  vi.useFakeTimers({ now: new Date("2026-11-21T23:59:00") });
  const chat = renderChat(list, { threads }, { now: () => Date.now() });
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(groupsOf(chat.root)).toEqual([["Ранее", ["Погода", "New Chat", "Эссе"]]]);
  chat.unmount();
});

test("a title that is being typed is shown as far as it is typed", () => {
  const chat = renderChat(list, { threads: { ...threads, typedTitles: { t1: "Пог" } } });
  expect(chat.root.querySelector(".thread-title")?.textContent).toBe("Пог");
  chat.unmount();
});

test("a row opens its thread, and has buttons to rename and delete it", () => {
  const chat = renderChat(list, { threads });
  act(() => chat.root.querySelectorAll<HTMLElement>(".thread-open")[2]?.click());
  act(() => button(chat.root, "Удалить чат", 1).click());
  expect(chat.asked).toEqual([
    ["selectThread", "t3"],
    ["archiveThread", "t2"],
  ]);
  expect(chat.root.activeElement).toBe(chat.root.querySelectorAll(".thread-open")[2]);
  chat.unmount();
});

test.for([
  ["Enter", (field: HTMLElement) => pressKey(field, "Enter")],
  ["leaving the field", (field: HTMLElement) => act(async () => field.blur())],
] as const)("renaming: %s without a change keeps a title that has come meanwhile", async ([, end]) => {
  const chat = renderChat(list, { threads });
  await beginRenaming(chat.root);
  const items = threads.items.map((thread, index) => (index === 0 ? { ...thread, title: "Погода в Москве" } : thread));
  chat.set((state) => ({ ...state, threads: { ...state.threads, items } }));
  await end(fieldOf(chat.root));
  expect(chat.asked).toEqual([]);
  expect(chat.root.querySelector(".rename-field")).toBeNull();
  expect(chat.root.querySelector(".thread-title")?.textContent).toBe("Погода в Москве");
  chat.unmount();
});

test("renaming: Enter saves the new title and the focus returns to the row", async () => {
  const chat = renderChat(list, { threads });
  await beginRenaming(chat.root);
  expect(fieldOf(chat.root).value).toBe("Погода");
  write(fieldOf(chat.root), "  Прогноз ");
  await pressKey(fieldOf(chat.root), "Enter");
  expect(chat.asked).toEqual([["renameThread", "t1", "Прогноз"]]);
  expect(chat.root.querySelector(".rename-field")).toBeNull();
  expect(chat.root.activeElement).toBe(chat.root.querySelector(".thread-open"));
  chat.unmount();
});

test.for([
  ["Escape", "Прогноз"],
  ["Enter", "  "],
  ["Enter", "Погода"],
] as const)("renaming: %s on «%s» leaves the title as it was", async ([key, text]) => {
  const chat = renderChat(list, { threads });
  await beginRenaming(chat.root);
  write(fieldOf(chat.root), text);
  await pressKey(fieldOf(chat.root), key);
  expect(chat.root.querySelector(".rename-field")).toBeNull();
  expect(chat.asked).toEqual([]);
  chat.unmount();
});

test.for([
  ["Enter", { isComposing: true }],
  // The Enter that ends a word, which Safari sends after the composition.
  ["Enter", { keyCode: 229 }],
  ["Escape", { keyCode: 229 }],
] as const)("renaming: %s of an input method (%o) neither saves nor closes the field", async ([key, init]) => {
  const chat = renderChat(list, { threads });
  await beginRenaming(chat.root);
  write(fieldOf(chat.root), "天気");
  await pressKey(fieldOf(chat.root), key, init);
  expect([fieldOf(chat.root).value, chat.asked]).toEqual(["天気", []]);
  await pressKey(fieldOf(chat.root), "Enter");
  expect(chat.asked).toEqual([["renameThread", "t1", "天気"]]);
  chat.unmount();
});

test("a title that could not be saved stays in its field, with the reason", async () => {
  const failure = { kind: "network", detail: "Failed to fetch" } as const;
  const chat = renderChat(list, { threads: { ...threads, failures: { t1: failure } } });
  await beginRenaming(chat.root);
  write(fieldOf(chat.root), "Прогноз");
  await pressKey(fieldOf(chat.root), "Enter");
  expect(fieldOf(chat.root).value).toBe("Прогноз");
  expect(chat.root.querySelector(".thread-row-failure")?.textContent).toContain("переименовать");
  chat.unmount();
});

test("the skeleton is shown after 200 ms, not before", async () => {
  vi.useFakeTimers();
  const chat = renderChat(list, { threads: { ...threads, load: { status: "loading" }, items: [] } });
  await act(() => vi.advanceTimersByTimeAsync(199));
  expect(chat.root.querySelector(".skeleton")).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(chat.root.querySelector(".skeleton")).not.toBeNull();
  chat.unmount();
});

test("a list that could not be loaded says so and can be loaded again", () => {
  const failure = { kind: "http", detail: "HTTP 500 Server Error: " } as const;
  const chat = renderChat(list, { threads: { ...threads, items: [], load: { status: "failed", failure } } });
  expect(chat.root.querySelector(".failure-title")?.textContent.replaceAll("\u00a0", " ")).toBe(
    "Не удалось загрузить чаты.",
  );
  act(() => chat.root.querySelector<HTMLElement>(".failure-note .button")?.click());
  expect(chat.asked).toEqual([["reloadThreads"]]);
  chat.unmount();
});
