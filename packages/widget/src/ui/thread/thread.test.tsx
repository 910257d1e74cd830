import type { Message } from "@nitka/protocol";
import { act } from "react";
import { expect, test, vi } from "vitest";
import { renderChat, withConversation } from "../scripted-chat.tsx";
import { Thread } from "./thread.tsx";

const question: Message = { id: "u1", role: "user", content: "Привет", parentId: null };

/** A thread with the given message between two that can be shown. */
function renderBetween(middle: object) {
  const last: Message = { id: "u3", role: "user", content: "Спасибо", parentId: "m" };
  const messages = [question, { id: "m", parentId: "u1", ...middle } as Message, last];
  return renderChat(<Thread threadId="t1" notice={null} />, withConversation({ messages }));
}

function textsOf(root: ShadowRoot): readonly (string | undefined)[] {
  return [...root.querySelectorAll(".thread > [data-message]")].map(
    (message) => message.querySelector(".bubble, p")?.textContent,
  );
}

const broken = "Не\u00a0удалось показать эту часть переписки. Остальное на\u00a0месте.";

test.for([
  ["Unknown message part type", { role: "assistant", content: [{ type: "video", url: "x" }] }],
  ["Unknown role", { role: "tool", content: "x" }],
  ["Unexpected status", { role: "assistant", content: "x", status: { type: "requires-action" } }],
  [
    "Unknown attachment type",
    {
      role: "user",
      content: "x",
      attachments: [{ id: "a", type: "hologram", name: "n", contentType: "x/y", size: 1, url: "data:," }],
    },
  ],
] as const)(
  "%s: a box stands in the message's place, the error is reported once, the other messages are shown",
  async ([error, message]) => {
    const chat = renderBetween(message);
    await act(tileLoaded);
    expect(textsOf(chat.root)).toEqual(["Привет", broken, "Спасибо"]);
    expect(chat.reported).toEqual([expect.objectContaining({ name: "InternalError" })]);
    expect(String(chat.reported[0])).toContain(error);
    chat.unmount();
  },
);

test.for([
  ['Unknown message part type "constructor"', { role: "assistant", content: [{ type: "constructor" }] }],
  ['Unknown role "toString"', { role: "toString", content: "x" }],
] as const)("%s: a name that every object inherits is unknown too", ([error, message]) => {
  const chat = renderBetween(message);
  expect(String(chat.reported[0])).toContain(error);
  chat.unmount();
});

test("a broken message that changes into one that can be shown is shown", () => {
  const chat = renderBetween({ role: "tool", content: "x" });
  chat.set((state) => {
    const { t1 } = state.conversations;
    if (!t1) return state;
    const messages = t1.messages.map((message) =>
      message.id === "m"
        ? { ...message, role: "user" as const, content: "Вот", status: { type: "complete" as const } }
        : message,
    );
    return { ...state, conversations: { t1: { ...t1, messages } } };
  });
  expect(textsOf(chat.root)).toEqual(["Привет", "Вот", "Спасибо"]);
  chat.unmount();
});

const answer: Message = { id: "a1", role: "assistant", content: "По", parentId: "u1", status: { type: "running" } };
const run = { questionId: "u1", answerId: "a1", phase: "streaming" } as const;

test("an answer that the server renames while it runs keeps its element, and makes no branch", () => {
  const chat = renderChat(
    <Thread threadId="t1" notice={null} />,
    withConversation({ messages: [question, answer], keys: { a1: "a1" }, run }),
  );
  const element = chat.root.querySelector(".assistant-message");
  chat.set((state) => ({
    ...state,
    ...withConversation({
      messages: [question, { ...answer, id: "server-1", content: "Погода" }],
      keys: { "server-1": "a1" },
      run: { ...run, answerId: "server-1" },
    }),
  }));
  expect(chat.root.querySelector(".assistant-message")).toBe(element);
  expect(element?.querySelector(".answer")?.textContent).toBe("Погода");
  expect(chat.root.querySelector(".branch-picker")).toBeNull();
  chat.unmount();
});

test("a frame of a running answer renders no other message again", () => {
  let reads = 0;
  const watched: Message = {
    ...question,
    get content() {
      reads += 1;
      return "Привет";
    },
  };
  const chat = renderChat(
    <Thread threadId="t1" notice={null} />,
    withConversation({ messages: [watched, answer], run }),
  );
  const before = reads;
  chat.set((state) => ({
    ...state,
    ...withConversation({ messages: [watched, { ...answer, content: "Погода" }], run }),
  }));
  expect(chat.root.querySelector(".answer")?.textContent).toBe("Погода");
  expect(reads - before).toBe(0);
  chat.unmount();
});

test("days and times are told in the interface's language, also where its texts are English", async () => {
  const asked: Message = { ...question, createdAt: new Date(2026, 2, 2, 15, 5).toISOString() };
  const chat = renderChat(<Thread threadId="t1" notice={null} />, withConversation({ messages: [asked] }), {
    locale: "en",
    language: "de-AT",
  });
  await act(async () => void (await import("./after-messages.tsx")));
  expect(chat.root.querySelector(".day-line")?.textContent).toBe("2. März");
  expect(chat.root.querySelector(".message-time")?.textContent).toBe("15:05");
  chat.unmount();
});

test("a question after midnight stands below a line of its day, and what is above it below that of the day before", async () => {
  let now = new Date(2026, 10, 21, 23, 58);
  const chat = renderChat(
    <Thread threadId="t1" notice={null} />,
    withConversation({ messages: [question, answer], run }),
    {
      now: () => now.getTime(),
    },
  );
  await act(async () => void (await import("./after-messages.tsx")));
  const days = () => [...chat.root.querySelectorAll(".day-line")].map(({ textContent }) => textContent);
  const done: Message = { ...answer, id: "server-1", status: { type: "complete" } };
  const keys = { "server-1": "a1" };
  chat.set((state) => ({ ...state, ...withConversation({ messages: [question, done], keys }) }));
  expect(days()).toEqual([]);
  now = new Date(2026, 10, 22, 0, 2);
  const next: readonly Message[] = [
    { id: "u2", role: "user", content: "А завтра?", parentId: "server-1" },
    { id: "a2", role: "assistant", content: "", parentId: "u2", status: { type: "running" } },
  ];
  const asked = { questionId: "u2", answerId: "a2", phase: "sending" } as const;
  chat.set((state) => ({ ...state, ...withConversation({ messages: [question, done, ...next], keys, run: asked }) }));
  expect(days()).toEqual(["Вчера", "Сегодня"]);
  chat.unmount();
});

test("after midnight the messages of the day before get their line, also where nothing else changes", async () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 21, 23, 50) });
  const createdAt = new Date(2026, 10, 21, 22, 15).toISOString();
  const messages = [
    { ...question, createdAt },
    { ...answer, createdAt },
  ];
  const chat = renderChat(<Thread threadId="t1" notice={null} />, withConversation({ messages }), {
    now: () => Date.now(),
  });
  await act(async () => void (await import("./after-messages.tsx")));
  const days = () => [...chat.root.querySelectorAll(".day-line")].map(({ textContent }) => textContent);
  expect(chat.root.querySelectorAll(".message-time")).toHaveLength(2);
  await act(() => vi.advanceTimersByTimeAsync(9 * 60_000));
  expect(days()).toEqual([]);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(days()).toEqual(["Вчера"]);
  chat.unmount();
  vi.useRealTimers();
});

/** The code that shows an attachment loads after the first view. */
async function tileLoaded(): Promise<void> {
  await import("../attachments/sent-attachment.tsx");
  await Promise.resolve();
}
