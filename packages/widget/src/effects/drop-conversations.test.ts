// @vitest-environment node
import type { Message } from "@nitka/protocol";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { noon, startScriptedChat as startChat } from "../actions/scripted-chat.ts";
import { calling, startToolChat } from "../actions/scripted-tools.ts";
import { HttpError } from "../transport/http-error.ts";
import { dropConversations } from "./drop-conversations.ts";

beforeAll(() => import("../actions/host-commands.ts"));
beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

/** The ids are numbers, as in some backends, because a record sorts numeric keys. */
const threads = Array.from({ length: 60 }, (_, index) => ({
  threadId: String(index),
  updatedAt: new Date(noon.getTime() - index * 60_000).toISOString(),
}));
async function startScriptedChat(...options: Parameters<typeof startChat>) {
  const chat = await startChat(...options);
  const controller = new AbortController();
  dropConversations(chat.store, controller.signal);
  return { ...chat, endEffect: () => controller.abort() };
}
type Chat = Awaited<ReturnType<typeof startScriptedChat>>;
const held = (chat: Chat) => Object.keys(chat.store.get().conversations).map(Number);
const visit = async (chat: Chat, from: number, to: number) => {
  for (let index = from; index <= to; index += 1) await chat.actions.selectThread(String(index));
  await chat.settle();
};
const loadsOf = (chat: Chat) => chat.calls.filter((call) => call === "listMessages").length;

describe("the messages that are kept in memory", () => {
  it("are those of the 20 threads that were open last", async () => {
    const chat = await startScriptedChat({ threads });
    await visit(chat, 0, 49);
    expect(held(chat)).toEqual(Array.from({ length: 20 }, (_, index) => 30 + index));
    // An older thread becomes the newest when it is opened again.
    await visit(chat, 31, 31);
    await visit(chat, 50, 58);
    expect(held(chat)).toHaveLength(20);
    expect(held(chat)).toContain(31);
    const loads = loadsOf(chat);
    await visit(chat, 31, 31);
    expect(loadsOf(chat)).toBe(loads);
  });

  it("are loaded again where they were not kept, and say so meanwhile", async () => {
    const content: Message = { id: "m", role: "assistant", content: "Слушаю", parentId: null };
    const chat = await startScriptedChat({ threads, messages: { 1: [content] } });
    await visit(chat, 1, 30);
    const gate = Promise.withResolvers<void>();
    chat.backend.before = (call) => (call === "listMessages" ? gate.promise : undefined);
    void chat.actions.selectThread("1");
    await chat.settle();
    expect(chat.conversation().load.status).toBe("loading");
    gate.resolve();
    await chat.settle();
    expect(chat.shown()).toEqual(["assistant: Слушаю"]);
  });

  const unreachable = (call: string) => {
    if (call === "startRun") throw new HttpError("Failed to fetch", { status: 0 });
  };
  const reachable = () => undefined;
  const work: readonly (readonly [string, (chat: Chat) => unknown, (call: string) => void])[] = [
    ["a run", (chat) => chat.actions.sendText("1", "Вопрос"), reachable],
    ["a draft", (chat) => chat.actions.setDraft("1", "Недописанное"), reachable],
    [
      "a question that the backend has not confirmed",
      async (chat) => {
        await chat.actions.sendText("1", "Вопрос");
        await vi.advanceTimersByTimeAsync(60_000);
        expect(chat.conversation().outbox).toHaveLength(1);
      },
      unreachable,
    ],
    ["an open editor", (chat) => chat.actions.beginEdit("1", "q"), reachable],
    [
      "an answer that broke off, whose tool calls have run",
      async (chat) => {
        await chat.actions.sendText("1", "Вопрос");
        await chat.settle();
        await chat.say({ type: "start", messageId: "a" }, { type: "text-delta", id: "1", delta: "Да" });
        void chat.actions.stop("1");
        await vi.advanceTimersByTimeAsync(60_000);
      },
      reachable,
    ],
  ];
  it.each(work)("stay where there is %s", async (_, begin, before) => {
    const question: Message = { id: "q", role: "user", content: "Привет", parentId: null };
    const chat = await startScriptedChat({ threads, messages: { 1: [question] }, before });
    await visit(chat, 1, 1);
    await begin(chat);
    await chat.settle();
    const kept = chat.conversation();
    await visit(chat, 2, 40);
    expect(chat.store.get().conversations["1"]).toBe(kept);
    expect(held(chat)).toHaveLength(21);
  });

  it("go once nothing goes on there any more", async () => {
    const chat = await startScriptedChat({ threads });
    await visit(chat, 1, 1);
    await chat.actions.sendText("1", "Вопрос");
    await visit(chat, 2, 40);
    await chat.say({ type: "start", messageId: "a" }, { type: "finish" });
    expect(held(chat)).toContain(1);
    await visit(chat, 41, 41);
    expect(held(chat)).toHaveLength(20);
    expect(held(chat)).not.toContain(1);
  });

  it("leave nothing behind when a stream says something after that, or when they cannot be loaded", async () => {
    const chat = await startScriptedChat({ threads });
    await visit(chat, 1, 1);
    await chat.actions.sendText("1", "Вопрос");
    await chat.settle();
    await chat.say({ type: "start", messageId: "a" }, { type: "finish" });
    await visit(chat, 2, 30);
    expect(held(chat)).not.toContain(1);
    await chat.say({ type: "data-suggestions", suggestions: [{ title: "Ещё", prompt: "Ещё" }] });
    chat.backend.before = (call) => {
      if (call === "listMessages") throw new HttpError("HTTP 503 : ", { status: 503 });
    };
    await visit(chat, 31, 31);
    chat.backend.before = () => undefined;
    await visit(chat, 32, 58);
    expect(held(chat)).toEqual(Array.from({ length: 20 }, (_, index) => 39 + index));
  });

  it("of the thread that is shown stay, in whatever way it came into view", async () => {
    const chat = await startScriptedChat({ threads });
    await visit(chat, 0, 30);
    await chat.actions.archiveThread("30");
    await chat.settle();
    const { activeId } = chat.store.get().threads;
    expect([activeId, held(chat).includes(Number(activeId))]).toEqual(["31", true]);
    await chat.actions.newThread();
    expect(chat.conversation().load.status).toBe("ready");
    expect(held(chat).length).toBeLessThanOrEqual(21);
  });

  it("are loaded once more for the host's question, where the visitor opens many threads before it is asked", async () => {
    const chat = await startScriptedChat({ threads }, { features: { resume: true } });
    const host = await chat.actions.host();
    // The question waits a second for a refresh in progress.
    chat.backend.before = (call) => (call === "listThreads" ? new Promise(() => undefined) : undefined);
    void chat.actions.refresh();
    const sent = host.send("Вопрос", { threadId: "59" });
    await chat.settle();
    await visit(chat, 1, 40);
    expect(held(chat)).not.toContain(59);
    // It waits once more after they are loaded again.
    await vi.advanceTimersByTimeAsync(2000);
    await chat.settle();
    expect(await sent).toMatchObject({ threadId: "59" });
  });

  it("are all that come once the widget has ended", async () => {
    const chat = await startScriptedChat({ threads });
    chat.endEffect();
    await visit(chat, 0, 40);
    expect(held(chat)).toHaveLength(41);
  });
});

it("a tool that has run does not run again when its answer, which was only stopped here, continues after many threads", async () => {
  const execute = vi.fn<() => unknown>(() => new Promise(() => undefined));
  const before = (call: string) => {
    if (call === "cancelRun") throw new HttpError("HTTP 503 : ", { status: 503 });
  };
  const tools = { buy: { description: "Buys", parameters: { type: "object" }, execute } } as const;
  const all = [{ threadId: "t1", updatedAt: new Date(noon.getTime() + 60_000).toISOString() }, ...threads];
  const chat = await startToolChat({ tools, script: { threads: all, before } });
  dropConversations(chat.store, new AbortController().signal);
  await chat.say(...calling("buy"));
  void chat.actions.stop("t1");
  await vi.advanceTimersByTimeAsync(60_000);
  await chat.settle();
  const [question] = chat.conversation().messages;
  for (let index = 1; index <= 30; index += 1) await chat.actions.selectThread(String(index));
  const running = {
    id: "m1",
    role: "assistant",
    content: [],
    parentId: question?.id ?? null,
    status: { type: "running" },
  } as const;
  chat.backend.messages = { t1: [...(question ? [question] : []), running] };
  await chat.actions.selectThread("t1");
  await chat.settle();
  await chat.say(...calling("buy"));
  expect(chat.runs).toHaveLength(2);
  expect([execute.mock.calls.length, chat.told()]).toEqual([
    1,
    ["claim: page", 'errorText: "The tool \\"buy\\" was stopped before it ended."'],
  ]);
});
