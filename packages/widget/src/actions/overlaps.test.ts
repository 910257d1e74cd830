/** A timer or an event starts work again while the same work hangs: nothing is duplicated and nothing is lost. */
// @vitest-environment node
import type { Message } from "@nitka/protocol";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { HttpError } from "../transport/http-error.ts";
import { noon, startAskedChat, startScriptedChat } from "./scripted-chat.ts";
import { asking, calling, startToolChat } from "./scripted-tools.ts";

beforeAll(() => Promise.all([import("./attachments.ts"), import("./host-commands.ts")]));
beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

const features = { resume: true, cancel: true, upload: true };
const described = { description: "Adds to the cart", parameters: { type: "object" } } as const;
const lost = () => new HttpError("Failed to fetch", { status: 0 });

/** Requests of one kind. The test settles them one by one. */
function held(name: string) {
  const requests: PromiseWithResolvers<void>[] = [];
  const before = (call: string) => {
    if (call !== name) return undefined;
    const request = Promise.withResolvers<void>();
    requests.push(request);
    return request.promise;
  };
  return { requests, before };
}

/** The network is lost and restored while a request hangs. */
async function comeAndGo(chat: { readonly actions: { reconnect(): void }; settle(): Promise<void> }) {
  for (let time = 0; time < 5; time += 1) {
    chat.actions.reconnect();
    await chat.settle();
    await vi.advanceTimersByTimeAsync(3000);
  }
}

describe("while it hangs, and the network comes and goes,", () => {
  it("a question is posted once, and again only after its request has failed", async () => {
    const { requests, before } = held("startRun");
    const chat = await startScriptedChat({ before }, { features });
    await chat.actions.sendText("t1", "Привет");
    await comeAndGo(chat);
    expect(requests).toHaveLength(1);
    requests[0]?.reject(lost());
    await vi.advanceTimersByTimeAsync(1000);
    await comeAndGo(chat);
    expect(requests).toHaveLength(2);
    requests[1]?.resolve();
    await chat.settle();
    await chat.say({ type: "start", messageId: "a" }, { type: "text-delta", id: "1", delta: "Да" }, { type: "finish" });
    expect(chat.shown()).toEqual(["user: Привет", "assistant: Да [complete]"]);
  });

  it("a run is rejoined once", async () => {
    const { requests, before } = held("joinRun");
    const chat = await startAskedChat({ before }, { features });
    chat.last().emit(
      [
        { type: "start", messageId: "a" },
        { type: "text-delta", id: "1", delta: "Да" },
      ],
      1,
    );
    await chat.settle();
    chat.last().close();
    await vi.advanceTimersByTimeAsync(1000);
    await comeAndGo(chat);
    expect(requests).toHaveLength(1);
    requests[0]?.resolve();
    await chat.settle();
    await chat.say({ type: "text-delta", id: "1", delta: "!" }, { type: "finish" });
    expect(chat.shown()).toEqual(["user: Привет", "assistant: Да! [complete]"]);
  });

  it("a file is uploaded once, and again once after its upload has failed", async () => {
    const { requests, before } = held("uploadAttachment");
    const chat = await startScriptedChat({ before }, { features });
    chat.actions.addFiles("t1", [new File(["abc"], "кот.png", { type: "image/png" })]);
    await chat.settle();
    await comeAndGo(chat);
    expect(requests).toHaveLength(1);
    requests[0]?.reject(lost());
    await chat.settle();
    // These are all three ways to retry the upload.
    const sent = chat.actions.sendText("t1", "Кто это?");
    chat.actions.retryAttachment("t1", "id1");
    await comeAndGo(chat);
    expect(requests).toHaveLength(2);
    requests[1]?.resolve();
    await sent;
    await chat.settle();
    expect(chat.runs.map(({ request }) => request?.messages[0].attachments?.length)).toEqual([1]);
  });

  it("the list is loaded once, and opens one thread", async () => {
    const { requests, before } = held("listThreads");
    const started = startScriptedChat(
      { before, threads: [] },
      { features },
      {},
      { early: (actions) => actions.reconnect() },
    );
    await vi.advanceTimersByTimeAsync(10_000);
    expect(requests).toHaveLength(1);
    requests[0]?.reject(lost());
    const chat = await started;
    await comeAndGo(chat);
    expect(requests).toHaveLength(2);
    requests[1]?.resolve();
    await chat.settle();
    expect(chat.calls.filter((call) => call === "createThread")).toHaveLength(1);
  });

  it("a history is loaded once", async () => {
    const { requests, before } = held("listMessages");
    const started = startScriptedChat({ before }, { features });
    await vi.advanceTimersByTimeAsync(1000);
    requests[0]?.reject(lost());
    const chat = await started;
    await comeAndGo(chat);
    expect(requests).toHaveLength(2);
    requests[1]?.resolve();
    await chat.settle();
    expect(chat.conversation().load.status).toBe("ready");
  });

  it("older threads are loaded once", async () => {
    const threads = Array.from({ length: 250 }, (_, index) => ({
      threadId: `t${index}`,
      updatedAt: new Date(noon.getTime() - index).toISOString(),
    }));
    const chat = await startScriptedChat({ threads }, { features });
    const { requests, before } = held("listThreads");
    chat.backend.before = before;
    for (let time = 0; time < 5; time += 1) void chat.actions.loadOlderThreads();
    await comeAndGo(chat);
    expect(requests).toHaveLength(1);
    requests[0]?.resolve();
    await chat.settle();
    expect(chat.store.get().threads.items).toHaveLength(250);
  });
});

describe("a tool call whose request comes again with a rejoined run, while it hangs,", () => {
  /** The run's connection breaks, and the rejoined run repeats the call's request. */
  const rejoin = async (chat: Awaited<ReturnType<typeof startToolChat>>, events: ReturnType<typeof calling>) => {
    chat.last().close();
    await chat.settle();
    await vi.advanceTimersByTimeAsync(3000);
    await chat.say(...events);
  };

  it("is claimed once, and runs once", async () => {
    const execute = vi.fn<() => unknown>(() => 1);
    const claimed = Promise.withResolvers<void>();
    const onAnswer = (answer: object) => ("claim" in answer ? claimed.promise : undefined);
    const chat = await startToolChat({ tools: { buy: { ...described, execute } }, onAnswer });
    await chat.say(...calling("buy"));
    for (let time = 0; time < 3; time += 1) await rejoin(chat, calling("buy"));
    claimed.resolve();
    await chat.settle();
    expect([execute.mock.calls.length, chat.told()]).toEqual([1, ["claim: page", "output: 1"]]);
  });

  it("is answered once, although its answer is sent several times", async () => {
    const chat = await startToolChat({
      tools: { buy: { ...described, repeatable: true, execute: () => 1 } },
      onAnswer: () => new Promise(() => undefined),
    });
    await chat.say(...calling("buy"));
    for (let time = 0; time < 3; time += 1) await rejoin(chat, calling("buy"));
    expect(chat.told()).toEqual(["output: 1"]);
  });

  it("is decided once, however often the visitor presses", async () => {
    const chat = await startToolChat({ onAnswer: () => new Promise(() => undefined) });
    await chat.say(...asking("refund"));
    for (let time = 0; time < 3; time += 1) {
      void chat.actions.decideTool("t1", "c1", true);
      await rejoin(chat, asking("refund"));
    }
    expect(chat.told()).toEqual(["approved: true"]);
  });
});

describe("a refresh", () => {
  it("that hangs is shared, however often the visitor comes back, and the next one follows when they do", async () => {
    const { requests, before } = held("listThreads");
    const chat = await startScriptedChat({}, { features });
    chat.backend.before = before;
    const counts = [];
    for (const ms of [0, 1000, 3000, 1000, 15_000]) {
      await vi.advanceTimersByTimeAsync(ms);
      void chat.actions.refresh("window");
      await chat.settle();
      counts.push(requests.length);
    }
    expect(counts).toEqual([1, 1, 1, 1, 2]);
  });

  it("that hangs does not hide a newer one's messages", async () => {
    const { requests, before } = held("listMessages");
    const chat = await startScriptedChat({}, { features });
    chat.backend.before = before;
    const ask = (content: string): Message => ({ id: content, role: "user", content, parentId: null });
    void chat.actions.refresh();
    await vi.advanceTimersByTimeAsync(20_000);
    void chat.actions.refresh();
    await chat.settle();
    chat.backend.messages = { t1: [ask("Новый")] };
    requests[1]?.resolve();
    await chat.settle();
    chat.backend.messages = { t1: [ask("Старый")] };
    requests[0]?.resolve();
    await chat.settle();
    expect(chat.shown()).toEqual(["user: Новый"]);
  });
});

it("two titles that are typed at once end as the last one, and leave no timer", async () => {
  const chat = await startAskedChat();
  await chat.say({ type: "start", messageId: "a" }, { type: "data-title", title: "Первое имя" });
  await vi.advanceTimersByTimeAsync(40);
  await chat.say({ type: "data-title", title: "Второе" }, { type: "finish" });
  const typed = new Set<string | undefined>();
  chat.store.subscribe(() => typed.add(chat.store.get().threads.typedTitles["t1"]));
  await vi.advanceTimersByTimeAsync(60_000);
  expect([...typed].filter((text) => text !== undefined && !"Второе".startsWith(text))).toEqual([]);
  expect([chat.store.get().threads.items[0]?.title, vi.getTimerCount()]).toEqual(["Второе", 0]);
});
