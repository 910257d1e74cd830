/** The cost of a list at each write of the state, as numbers of calls, which do not grow with the list. */
import { act } from "react";
import type { Message } from "@nitka/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ru } from "../../i18n/locales/ru.ts";
import { addRun, changeConversation, writeAnswer } from "../../store/conversation.ts";
import { createStore } from "../../store/create-store.ts";
import { initialState } from "../../store/initial-state.ts";
import type { ChatState } from "../../store/state.ts";
import * as threads from "../../store/threads.ts";
import { renderChat } from "../scripted-chat.tsx";
import { ThreadList } from "./thread-list.tsx";

const question: Message = { id: "q", role: "user", content: "Привет", parentId: null };
const answer: Message = { id: "a", role: "assistant", content: "Да", parentId: "q", status: { type: "running" } };

const page = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    threadId: `t${index}`,
    title: `Чат ${index}`,
    updatedAt: new Date(Date.UTC(2026, 10, 21) - index * 60_000).toISOString(),
  }));

/** A list of this length. `t1` is open and has a run. */
function listOf(count: number) {
  const start = initialState({ config: {}, sidebarOpen: true, compact: false, panelOpen: true });
  const filled = threads.activateThread(threads.setThreads(start, page(count)), "t1");
  const running = changeConversation(filled, "t1", (conversation) =>
    addRun(conversation, { question, answer, phase: "streaming" }),
  );
  const store = createStore<ChatState>(running, (callback) => callback(0));
  let reads = 0;
  let rows = 0;
  const counting = {
    ...store,
    get: () => {
      reads += 1;
      return store.get();
    },
  };
  // Every row reads this once when it renders.
  const sidebar = {
    ...ru.sidebar,
    get rename() {
      rows += 1;
      return ru.sidebar.rename;
    },
  };
  const chat = renderChat(<ThreadList />, {}, { store: counting, words: { ...ru, sidebar } });
  return {
    chat,
    rendered: rows,
    /** How often a change of the state reads the state and renders rows. */
    costOf(change: (state: ChatState) => ChatState) {
      [reads, rows] = [0, 0];
      act(() => store.set(change));
      return { reads, rows };
    },
  };
}

const writing = (state: ChatState) =>
  changeConversation(state, "t1", (conversation) =>
    writeAnswer(conversation, { ...answer, content: "Да, да" }, undefined),
  );

describe("a list of 50 or 2,000 threads", () => {
  /** Changes in order, each with the number of rows that it changes. */
  const changes: readonly (readonly [string, number, (state: ChatState) => ChatState])[] = [
    ["a write of an answer", 0, writing],
    ["the same page of the list once more", 0, (state) => threads.refreshThreads(state, page(50))],
    ["a letter of a title", 1, (state) => threads.typeTitle(state, "t7", "По")],
    ["a thread that moves to the top", 1, (state) => threads.bumpThread(state, "t7", Date.UTC(2027, 0))],
    ["a highlight", 1, (state) => threads.highlightThread(state, "t7")],
    ["another open thread", 2, (state) => threads.activateThread(state, "t7")],
    [
      "a run that begins",
      1,
      (state) => changeConversation(state, "t7", (before) => addRun(before, { question, answer, phase: "sending" })),
    ],
    ["a failure", 1, (state) => threads.failThread(state, "t7", { kind: "network", detail: "" })],
  ];
  const expected = changes.map(([what, rows]) => ({ what, rows }));

  it.each([50, 2000])(
    "(%i) reads the state as often for a write, and renders only the rows that a change changes",
    (count) => {
      const list = listOf(count);
      expect(list.rendered).toBe(count);
      const costs = changes.map(([what, , change]) => ({ what, cost: list.costOf(change) }));
      list.chat.unmount();
      expect(costs.map(({ what, cost }) => ({ what, rows: cost.rows }))).toEqual(expected);
      expect(costs[0]?.cost.reads).toBe(3);
    },
  );
});

describe("the order of a list of 2,000 threads", () => {
  beforeEach(() => void vi.spyOn(Date, "parse"));
  afterEach(() => vi.restoreAllMocks());

  it.each([
    ["the first load", (state: ChatState) => threads.setThreads(state, page(2000))],
    ["a refresh", (state: ChatState) => threads.refreshThreads(state, page(2000).slice(0, 200))],
    ["a thread that moves to the top", (state: ChatState) => threads.bumpThread(state, "t1999", Date.UTC(2027, 0))],
    ["a thread that is made", (state: ChatState) => threads.addThread(state, { threadId: "new", updatedAt: "2026" })],
  ])("reads the dates of two at most for %s", (_, change) => {
    const start = initialState({ config: {}, sidebarOpen: true, compact: false, panelOpen: true });
    const filled = threads.setThreads(start, page(2000));
    vi.mocked(Date.parse).mockClear();
    change(filled);
    expect(vi.mocked(Date.parse).mock.calls.length).toBeLessThanOrEqual(2);
  });
});
