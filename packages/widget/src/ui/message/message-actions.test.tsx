import type { Message } from "@nitka/protocol";
import { act, useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { conversationOf } from "../../store/selectors.ts";
import type { Conversation } from "../../store/state.ts";
import { createVisibleBranch } from "../../store/visible-branch.ts";
import type { Chat } from "../chat-context.tsx";
import { useChatState } from "../chat-context.tsx";
import { renderChat, withConversation } from "../scripted-chat.tsx";
import { createStore } from "../../store/create-store.ts";
import { AnswerLead } from "./answer-lead.tsx";
import { BranchPicker } from "./branch-picker.tsx";
import { DayLine, MessageTime } from "./message-time.tsx";
import { RegenerateMenu } from "./regenerate-menu.tsx";
import { TableTools } from "./table-tools.tsx";
import { createTimeTexts } from "./time-texts.ts";
import { MessageView } from "./message-view.tsx";
import { createThreadScope, ThreadScopeContext } from "./thread-scope.ts";

const question: Message = { id: "u1", role: "user", content: "Погода?", parentId: null };
const first: Message = { id: "a1", role: "assistant", content: "Ясно", parentId: "u1", status: { type: "complete" } };
const second: Message = { ...first, id: "a2", content: "Дождь" };

/** The messages of the branch that is shown, as a thread renders them. */
function Messages() {
  const [visibleBranch] = useState(createVisibleBranch);
  const [scope] = useState(() => ({
    ...createThreadScope("t1", () => undefined),
    beside: {
      AnswerLead,
      BranchPicker,
      DayLine,
      MessageTime,
      RegenerateMenu,
      TableTools,
      texts: createTimeTexts("ru"),
      reading: createStore(undefined, (notify) => notify(0)),
    },
  }));
  const branch = useChatState((state) => visibleBranch(conversationOf(state, "t1")));
  return (
    <ThreadScopeContext value={scope}>
      {branch.map((entry) => (
        <MessageView key={entry.message.id} entry={entry} />
      ))}
    </ThreadScopeContext>
  );
}

function render(conversation: Partial<Conversation>, given: Partial<Chat> = {}) {
  return renderChat(<Messages />, withConversation(conversation), given);
}

function namesIn(root: ParentNode, message: string): readonly (string | null)[] {
  return [...root.querySelectorAll(`${message} button`)].map((button) => button.getAttribute("aria-label"));
}

function press(root: ParentNode, name: string, within = ""): void {
  const button = root.querySelector<HTMLElement>(`${within} button[aria-label="${name}"]`);
  if (!button) throw new Error(`No button named "${name}" in ${within || "the view"}.`);
  act(() => button.click());
}

afterEach(() => {
  vi.useRealTimers();
});

test("a question can be copied and edited, an answer copied and regenerated", () => {
  const chat = render({ messages: [question, first] });
  expect(namesIn(chat.root, ".user-message")).toEqual(["Копировать", "Редактировать"]);
  expect(namesIn(chat.root, ".assistant-message")).toEqual(["Копировать", "Сгенерировать заново"]);
  press(chat.root, "Редактировать");
  press(chat.root, "Сгенерировать заново");
  expect(chat.asked).toEqual([
    ["beginEdit", "t1", "u1"],
    ["regenerate", "t1", "a1"],
  ]);
  chat.unmount();
});

test("the branch picker is shown when a message has more than one version, and switches between them", () => {
  const chat = render({ messages: [question, first, second], headId: "a2" });
  expect(chat.root.querySelector(".user-message .branch-picker")).toBeNull();
  expect(chat.root.querySelector(".branch-number")?.textContent).toBe("2 / 2");
  const arrows = [...chat.root.querySelectorAll<HTMLButtonElement>(".branch-picker button")];
  expect(arrows.map((arrow) => arrow.disabled)).toEqual([false, true]);
  press(chat.root, "Предыдущий вариант");
  expect(chat.asked).toEqual([["selectBranch", "t1", "a1"]]);
  chat.unmount();
});

test("after a step the focus is on the same arrow of the other version, or on the arrow that is enabled", () => {
  const chat = render({ messages: [question, first, second], headId: "a2" });
  press(chat.root, "Предыдущий вариант");
  chat.set((state) => ({
    ...state,
    conversations: { t1: { ...(state.conversations["t1"] as Conversation), headId: "a1" } },
  }));
  expect(chat.root.activeElement?.getAttribute("aria-label")).toBe("Следующий вариант");
  chat.unmount();
});

test("a copy button shows for 1200 ms that copying worked", async () => {
  vi.useFakeTimers();
  const copied: string[] = [];
  const copyFor = (_: Element, text: string) => Promise.resolve(void copied.push(text));
  const chat = render({ messages: [question, first] }, { copyFor });
  const button = chat.root.querySelector<HTMLElement>(".assistant-message button");
  await act(async () => button?.click());
  expect(copied).toEqual(["Ясно"]);
  expect(button?.dataset["outcome"]).toBe("ok");
  await act(() => vi.advanceTimersByTimeAsync(1199));
  expect(button?.dataset["outcome"]).toBe("ok");
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(button?.dataset["outcome"]).toBe("none");
  chat.unmount();
});

test("a copy button shows that copying failed", async () => {
  const chat = render({ messages: [question] }, { copyFor: () => Promise.reject(new Error("denied")) });
  const button = chat.root.querySelector<HTMLElement>(".user-message button");
  await act(async () => button?.click());
  expect(button?.dataset["outcome"]).toBe("fail");
  chat.unmount();
});

test("a copy button does nothing when the answer has no text", async () => {
  const call = { type: "tool-call", toolCallId: "c", toolName: "search", argsText: "{}" } as const;
  const copied: string[] = [];
  const chat = render(
    { messages: [question, { ...first, content: [call] }] },
    { copyFor: (_, text) => Promise.resolve(void copied.push(text)) },
  );
  const button = chat.root.querySelector<HTMLElement>('.assistant-message button[aria-label="Копировать"]');
  await act(async () => button?.click());
  expect([copied, button?.dataset["outcome"]]).toEqual([[], "none"]);
  chat.unmount();
});

test("a failed answer shows its error and can be retried; a stopped one shows a note", () => {
  const failed: Message = { ...first, status: { type: "incomplete", reason: "error", error: "Upstream 502: нет" } };
  const chat = render({ messages: [question, failed] });
  expect(chat.root.querySelector(".failure-text")?.textContent).toBe("Upstream 502: нет");
  const retry = [...chat.root.querySelectorAll<HTMLElement>("button")].find(
    (button) => button.textContent === "Повторить",
  );
  act(() => retry?.click());
  expect(chat.asked).toEqual([["retry", "t1", "a1"]]);
  chat.unmount();

  const stopped: Message = { ...first, status: { type: "incomplete", reason: "cancelled" } };
  const other = render({ messages: [question, stopped] });
  expect(other.root.querySelector(".message-failure")).toBeNull();
  expect(other.root.querySelector(".message-note")?.textContent).toBe("Ответ остановлен.");
  other.unmount();
});

test("the answer to a question that was not sent says that, and the reason", () => {
  const lost: Message = { ...first, content: [], status: { type: "incomplete", reason: "error" } };
  const chat = render({
    messages: [question, lost],
    outbox: ["u1"],
    failures: { a1: { kind: "network", detail: "Failed to fetch" } },
  });
  expect(chat.root.querySelector(".failure-text")?.textContent.replaceAll("\u00a0", " ")).toBe(
    "Сообщение не отправлено. Нет связи с сервером. Проверьте подключение и попробуйте ещё раз. (Failed to fetch)",
  );
  chat.unmount();
});

test("a refused question shows our advice first, and the backend's own text once, in brackets", () => {
  const detail = "Upstream 500: сломано";
  const refused: Message = { ...first, content: [], status: { type: "incomplete", reason: "error", error: detail } };
  const chat = render({ messages: [question, refused], failures: { a1: { kind: "http", detail } } });
  expect(chat.root.querySelector(".failure-text")?.textContent.replaceAll("\u00a0", " ")).toBe(
    "Сервер не смог ответить. Попробуйте ещё раз чуть позже. (Upstream 500: сломано)",
  );
  chat.unmount();
});
