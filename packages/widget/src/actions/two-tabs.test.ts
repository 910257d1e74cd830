// @vitest-environment node
import type { Message, Thread } from "@nitka/protocol";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { HttpError } from "../transport/http-error.ts";
import { noon, startScriptedChat } from "./scripted-chat.ts";

beforeAll(() => Promise.all([import("./attachments.ts"), import("./host-commands.ts")]));
beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

const resume = { features: { resume: true } };
const thread = (threadId: string, hours: number, title?: string): Thread => ({
  threadId,
  updatedAt: new Date(noon.getTime() - hours * 3_600_000).toISOString(),
  ...(title !== undefined && { title }),
});
const three = [thread("new", 1), thread("middle", 5), thread("old", 30)];
const question: Message = { id: "q", role: "user", content: "Из другой вкладки", parentId: null };
const answer: Message = { id: "a", role: "assistant", content: "Да", parentId: "q", status: { type: "complete" } };
type Chat = Awaited<ReturnType<typeof startScriptedChat>>;
const ids = (chat: Chat) => chat.store.get().threads.items.map(({ threadId }) => threadId);
const titleOf = (chat: Chat, id: string) => chat.store.get().threads.items.find((item) => item.threadId === id)?.title;

describe("a thread that another tab has archived", () => {
  const archive = (chat: Chat, threadId: string) => {
    chat.backend.threads = chat.backend.threads.filter((item) => item.threadId !== threadId);
  };

  it("leaves the list with the next refresh", async () => {
    const chat = await startScriptedChat({ threads: three }, resume);
    archive(chat, "middle");
    await chat.actions.refresh();
    expect(ids(chat)).toEqual(["new", "old"]);
  });

  it("is replaced by the next one if it was open, whose messages are shown", async () => {
    const chat = await startScriptedChat({ threads: three, messages: { middle: [question, answer] } }, resume);
    archive(chat, "new");
    await chat.actions.refresh();
    await chat.settle();
    expect(ids(chat)).toEqual(["middle", "old"]);
    expect(chat.shown()).toEqual(["user: Из другой вкладки", "assistant: Да [complete]"]);
  });

  it("is replaced by a new one if it was the last", async () => {
    const chat = await startScriptedChat({}, resume);
    archive(chat, "t1");
    await chat.actions.refresh();
    await chat.settle();
    expect(ids(chat)).toEqual(["new1"]);
  });

  it.each([
    ["a draft", (chat: Chat) => chat.actions.setDraft("middle", "Не потерять")],
    ["a file", (chat: Chat) => chat.actions.addFiles("middle", [new File(["a"], "a.txt", { type: "text/plain" })])],
    ["a question that is under way", (chat: Chat) => chat.actions.sendText("middle", "Не потерять")],
  ])("stays in the list with %s of this tab", async (_, write) => {
    const never = new Promise<void>(() => undefined);
    const before = (call: string) => (call === "startRun" ? never : undefined);
    const chat = await startScriptedChat({ threads: three, before }, resume);
    await chat.actions.selectThread("middle");
    await Promise.resolve(write(chat));
    await chat.settle();
    await chat.actions.selectThread("new");
    await chat.settle();
    archive(chat, "middle");
    await chat.actions.refresh();
    expect(ids(chat)).toContain("middle");
  });

  it("stays in the list where the page of the list does not reach it", async () => {
    const many = Array.from({ length: 250 }, (_, index) => thread(`t${index}`, index));
    const chat = await startScriptedChat({ threads: many }, resume);
    await chat.actions.loadOlderThreads();
    expect(ids(chat)).toHaveLength(250);
    archive(chat, "t100");
    archive(chat, "t220");
    await chat.actions.refresh();
    expect(ids(chat)).toHaveLength(249);
    expect(ids(chat)).not.toContain("t100");
  });

  it.each([
    ["leaves the list when it is opened", undefined, ["new", "old"]],
    ["stays when it is opened, with what is written there", "Не потерять", ["new", "middle", "old"]],
  ])("%s", async (_, draft, left) => {
    const before = (call: string, threadId: unknown) => {
      if (call === "listMessages" && threadId === "middle") throw new HttpError("HTTP 404: gone", { status: 404 });
    };
    const chat = await startScriptedChat({ threads: three, before }, resume);
    archive(chat, "middle");
    if (draft !== undefined) chat.actions.setDraft("middle", draft);
    await chat.actions.selectThread("middle");
    await chat.settle();
    expect(ids(chat)).toEqual(left);
    expect(chat.store.get().threads.activeId).toBe(draft === undefined ? "old" : "middle");
    expect(chat.conversation().load.status).toBe(draft === undefined ? "ready" : "failed");
  });
});

describe("a question in a tab that is behind", () => {
  const send: readonly (readonly [string, (chat: Chat) => unknown])[] = [
    ["of the composer", (chat) => (chat.actions.setDraft("new", "Ещё"), chat.actions.send("new"))],
    ["of a suggestion", (chat) => chat.actions.sendText("new", "Ещё")],
    ["of the host", (chat) => chat.actions.host().then((host) => void host.send("Ещё"))],
  ];
  const behind = async () => {
    const held = Promise.withResolvers<void>();
    const chat = await startScriptedChat({ threads: three }, resume);
    chat.backend.messages = { new: [question, answer] };
    chat.backend.before = (call) => (call === "listMessages" ? held.promise : undefined);
    void chat.actions.refresh();
    await chat.settle();
    return { chat, held };
  };

  it.each(send)("%s follows what the refresh brings", async (_, ask) => {
    const { chat, held } = await behind();
    void ask(chat);
    await chat.settle();
    expect(chat.runs).toEqual([]);
    held.resolve();
    await chat.settle();
    expect(chat.last().request?.messages[0].parentId).toBe("a");
    expect(chat.shown()).toEqual([
      "user: Из другой вкладки",
      "assistant: Да [complete]",
      "user: Ещё",
      "assistant:  [running]",
    ]);
  });

  it.each(send)("%s waits a second at most", async (_, ask) => {
    const { chat } = await behind();
    void ask(chat);
    await chat.settle();
    await vi.advanceTimersByTimeAsync(1000);
    await chat.settle();
    expect(chat.runs).toHaveLength(1);
  });
});

describe("two titles", () => {
  const renaming = async () => {
    const answers: PromiseWithResolvers<void>[] = [];
    const chat = await startScriptedChat({ threads: three }, resume);
    chat.backend.before = (call) => {
      if (call !== "renameThread") return undefined;
      const one = Promise.withResolvers<void>();
      answers.push(one);
      return one.promise;
    };
    const done = [chat.actions.renameThread("new", "А"), chat.actions.renameThread("new", "Б")];
    await chat.settle();
    return { chat, answers, done };
  };
  const ends = ["resolve", "reject"] as const;

  it.each([
    [[1, "resolve"], [0, "resolve"], "Б", false],
    [[0, "resolve"], [1, "resolve"], "Б", false],
    [[1, "resolve"], [0, "reject"], "Б", false],
    [[0, "resolve"], [1, "reject"], "А", true],
    [[0, "reject"], [1, "resolve"], "Б", false],
  ] as const satisfies readonly [[0 | 1, (typeof ends)[number]], [0 | 1, (typeof ends)[number]], string, boolean][])(
    "that are given one after the other, with the answers %j and %j, leave %s",
    async (first, second, title, hasFailed) => {
      const { chat, answers, done } = await renaming();
      for (const [index, end] of [first, second]) {
        if (end === "reject") answers[index]?.reject(new HttpError("no", { status: 500 }));
        else answers[index]?.resolve();
        await chat.settle();
      }
      await Promise.all(done);
      expect([titleOf(chat, "new"), chat.store.get().threads.failures["new"] !== undefined]).toEqual([
        title,
        hasFailed,
      ]);
    },
  );

  it("keep the newer one if a rejoined run repeats the older", async () => {
    const running: Message = { ...answer, content: "", status: { type: "running" } };
    const chat = await startScriptedChat(
      { threads: [thread("t1", 1, "Моё имя")], messages: { t1: [question, running] } },
      resume,
    );
    await chat.settle();
    await chat.say({ type: "start", messageId: "a" }, { type: "data-title", title: "Вкладка" }, { type: "finish" });
    await vi.advanceTimersByTimeAsync(1000);
    expect(titleOf(chat, "t1")).toBe("Моё имя");
  });

  it("of a rejoined run reach a thread without one", async () => {
    const running: Message = { ...answer, content: "", status: { type: "running" } };
    const chat = await startScriptedChat({ messages: { t1: [question, running] } }, resume);
    await chat.settle();
    await chat.say({ type: "start", messageId: "a" }, { type: "data-title", title: "Вкладка" }, { type: "finish" });
    await vi.advanceTimersByTimeAsync(1000);
    expect(titleOf(chat, "t1")).toBe("Вкладка");
  });
});

describe("a history that comes late", () => {
  it("does not hide the newer question and its answer", async () => {
    const history = Promise.withResolvers<void>();
    const chat = await startScriptedChat({ joinable: () => false }, { features: { resume: true, cancel: true } });
    chat.backend.before = (call) => {
      if (call === "cancelRun") throw new HttpError("HTTP 404: no run", { status: 404 });
      return call === "listMessages" ? history.promise : undefined;
    };
    await chat.actions.sendText("t1", "Раз");
    await chat.settle();
    await chat.say({ type: "start", messageId: "m1" }, { type: "text-delta", id: "1", delta: "Да" });
    const asked = chat.last().request?.messages[0] as Message;
    chat.last().close();
    await vi.advanceTimersByTimeAsync(1000);
    void chat.actions.stop("t1");
    await vi.advanceTimersByTimeAsync(4000);
    await chat.actions.sendText("t1", "Два");
    await chat.settle();
    await chat.say({ type: "start", messageId: "m2" }, { type: "text-delta", id: "1", delta: "Вто" });
    chat.backend.messages = {
      t1: [asked, { id: "m1", role: "assistant", content: "Да!", parentId: asked.id, status: { type: "complete" } }],
    };
    history.resolve();
    await chat.settle();
    await chat.say({ type: "text-delta", id: "1", delta: "рой" }, { type: "finish" });
    expect(chat.shown()).toEqual([
      "user: Раз",
      "assistant: Да [cancelled]",
      "user: Два",
      "assistant: Второй [complete]",
    ]);
  });
});

describe("a refresh that hangs", () => {
  it("does not block the next one, and changes nothing when it arrives after that", async () => {
    const lists: PromiseWithResolvers<void>[] = [];
    const chat = await startScriptedChat({ threads: three }, resume);
    chat.backend.before = (call) => {
      if (call !== "listThreads") return undefined;
      const list = Promise.withResolvers<void>();
      lists.push(list);
      return list.promise;
    };
    void chat.actions.refresh();
    await vi.advanceTimersByTimeAsync(20_000);
    chat.backend.threads = [thread("new", 0, "Новое имя"), ...three.slice(1)];
    void chat.actions.refresh();
    await chat.settle();
    lists[1]?.resolve();
    await chat.settle();
    expect(titleOf(chat, "new")).toBe("Новое имя");
    chat.backend.threads = three;
    lists[0]?.resolve();
    await chat.settle();
    expect(titleOf(chat, "new")).toBe("Новое имя");
  });
});
