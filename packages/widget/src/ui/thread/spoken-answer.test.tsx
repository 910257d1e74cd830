import type { Message } from "@nitka/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AnnouncerProvider } from "../primitives/announcer.tsx";
import { LIVE_REGION_READY_MS } from "../../timings.ts";
import { renderChat, withConversation } from "../scripted-chat.tsx";
import { SpokenAnswer } from "./spoken-answer.tsx";

const question: Message = { id: "u1", role: "user", content: "Погода?", parentId: null };
const answer: Message = { id: "a1", role: "assistant", content: "", parentId: "u1", status: { type: "running" } };
const run = { questionId: "u1", answerId: "a1", phase: "streaming" } as const;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function render() {
  const view = (
    <AnnouncerProvider>
      <SpokenAnswer threadId="t1" asked={undefined} />
    </AnnouncerProvider>
  );
  const chat = renderChat(view, withConversation({ messages: [question] }));
  vi.advanceTimersByTime(LIVE_REGION_READY_MS);
  return chat;
}

function announcedIn(root: ParentNode): readonly string[] {
  return [...root.querySelectorAll("[aria-live] p")].map((text) => text.textContent);
}

test("an answer is announced sentence by sentence, and then its end", () => {
  const chat = render();
  for (const content of ["Я", "Ясно. Вет", "Ясно. Ветра нет"]) {
    const messages = [question, { ...answer, content }];
    chat.set((state) => ({ ...state, ...withConversation({ messages, run }) }));
  }
  expect(announcedIn(chat.root)).toEqual(["Ассистент отвечает…"]);
  vi.advanceTimersByTime(1000);
  expect(announcedIn(chat.root)).toEqual(["Ассистент отвечает…", "Ясно."]);
  const whole = { ...answer, content: "Ясно. Ветра нет", status: { type: "complete" } } as const;
  chat.set((state) => ({ ...state, ...withConversation({ messages: [question, whole] }) }));
  vi.advanceTimersByTime(1000);
  expect(announcedIn(chat.root)).toEqual(["Ассистент отвечает…", "Ясно.", "Ветра нет", "Ответ готов."]);
  vi.advanceTimersByTime(10_000);
  expect(announcedIn(chat.root)).toEqual([]);
  chat.unmount();
});

test("an answer that is renamed, written and ended in one frame is announced too", () => {
  const chat = render();
  chat.set((state) => ({ ...state, ...withConversation({ messages: [question, answer], keys: { a1: "a1" }, run }) }));
  const whole = { ...answer, id: "server-1", content: "Ясно.", status: { type: "complete" } } as const;
  chat.set((state) => ({ ...state, ...withConversation({ messages: [question, whole], keys: { "server-1": "a1" } }) }));
  vi.advanceTimersByTime(1000);
  expect(announcedIn(chat.root)).toEqual(["Ассистент отвечает…", "Ясно.", "Ответ готов."]);
  chat.unmount();
});

test.for([
  ["cancelled", ["Ассистент отвечает…", "Ясно", "Ответ остановлен."]],
  // The red box is an alert itself.
  ["error", ["Ассистент отвечает…", "Ясно"]],
] as const)("an answer that ended as %s is not announced as ready", ([reason, announced]) => {
  const chat = render();
  chat.set((state) => ({ ...state, ...withConversation({ messages: [question, answer], run }) }));
  const cut = { ...answer, content: "Ясно", status: { type: "incomplete", reason } } as const;
  chat.set((state) => ({ ...state, ...withConversation({ messages: [question, cut] }) }));
  vi.advanceTimersByTime(1000);
  expect(announcedIn(chat.root)).toEqual(announced);
  chat.unmount();
});

test("an answer that was whole before this code had loaded is announced", () => {
  const whole = { ...answer, content: "Ясно. Ветра нет", status: { type: "complete" } } as const;
  const view = (
    <AnnouncerProvider>
      <SpokenAnswer threadId="t1" asked={question.id} />
    </AnnouncerProvider>
  );
  const chat = renderChat(view, withConversation({ messages: [question, whole] }));
  vi.advanceTimersByTime(LIVE_REGION_READY_MS + 1000);
  expect(announcedIn(chat.root).join(" ")).toBe("Ясно. Ветра нет Ответ готов.");
  chat.unmount();
});
