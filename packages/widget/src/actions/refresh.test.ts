// @vitest-environment node
import type { Thread } from "@nitka/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HttpError } from "../transport/http-error.ts";
import { noon, startScriptedChat } from "./scripted-chat.ts";

beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

const thread = (threadId: string, hours: number, title?: string): Thread => ({
  threadId,
  updatedAt: new Date(noon.getTime() - hours * 3_600_000).toISOString(),
  ...(title === undefined ? {} : { title }),
});
const three = [thread("old", 30), thread("new", 1), thread("middle", 5)];

describe("a refresh", () => {
  const resume = { features: { resume: true } };
  const question = { id: "q", role: "user", content: "Из другой вкладки", parentId: null } as const;
  const answer = { id: "a", role: "assistant", content: "Да", parentId: "q", status: { type: "complete" } } as const;

  it("shows what another tab has asked in the open thread, and its title", async () => {
    const chat = await startScriptedChat({ threads: three }, resume);
    chat.backend.messages = { new: [question, answer] };
    chat.backend.threads = [
      { ...thread("new", 0, "Вкладка") },
      thread("fourth", 2),
      ...three.slice(2),
      three[0] as Thread,
    ];
    await chat.actions.refresh();
    expect(chat.shown()).toEqual(["user: Из другой вкладки", "assistant: Да [complete]"]);
    expect(chat.store.get().threads.items.map(({ threadId, title }) => [threadId, title])).toEqual([
      ["new", "Вкладка"],
      ["fourth", undefined],
      ["middle", undefined],
      ["old", undefined],
    ]);
  });

  it("follows an answer that another tab is getting", async () => {
    const chat = await startScriptedChat({ threads: three }, resume);
    chat.backend.messages = { new: [question, { ...answer, content: "", status: { type: "running" } }] };
    await chat.actions.refresh();
    await chat.say({ type: "start", messageId: "a" }, { type: "text-start", id: "t" });
    await chat.say({ type: "text-delta", id: "t", delta: "Иду" });
    expect(chat.shown()).toEqual(["user: Из другой вкладки", "assistant: Иду [running]"]);
  });

  it("follows a running answer from the moment that it is in view: it can be stopped", async () => {
    const chat = await startScriptedChat({ threads: three }, { features: { resume: true, cancel: true } });
    chat.backend.messages = { new: [question, { ...answer, status: { type: "running" } }] };
    const unsubscribe = chat.store.subscribe(() => {
      if (!chat.shown()[1]) return;
      unsubscribe();
      queueMicrotask(() => void chat.actions.stop("new"));
    });
    await chat.actions.refresh();
    await chat.settle();
    expect(chat.calls).toContain("cancelRun");
  });

  it("leaves what happens here meanwhile as it is", async () => {
    const held = Promise.withResolvers<void>();
    const chat = await startScriptedChat({ threads: three }, resume);
    chat.backend.before = (call) => (call.startsWith("list") ? held.promise : undefined);
    const refreshed = chat.actions.refresh();
    await chat.actions.renameThread("new", "Имя");
    void chat.actions.sendText("new", "Здесь");
    await vi.advanceTimersByTimeAsync(1000);
    await chat.say({ type: "start", messageId: "a" }, { type: "finish" });
    chat.last().done();
    await chat.settle();
    // The backend answers with what it had before.
    chat.backend.threads = three;
    chat.backend.messages = {};
    held.resolve();
    await refreshed;
    expect([chat.store.get().threads.items[0]?.title, chat.shown()]).toEqual([
      "Имя",
      ["user: Здесь", "assistant:  [complete]"],
    ]);
  });

  it("is one at a time, and none while it would show nothing new, in a closed panel, or of a plain backend", async () => {
    let held: Promise<void> | undefined;
    const before = (call: string) => (call === "listMessages" ? held : undefined);
    const chat = await startScriptedChat({ threads: three, before }, resume);
    await Promise.all([chat.actions.refresh(), chat.actions.refresh()]);
    const calls = [...chat.calls];
    expect(calls).toEqual(["listThreads", "listMessages", "listThreads", "listMessages"]);
    chat.actions.closePanel();
    await chat.actions.refresh();
    expect(chat.calls).toEqual(calls);
    chat.actions.openPanel();
    await chat.settle();
    expect(chat.calls).toHaveLength(6);
    await chat.actions.sendText("new", "Здесь");
    await chat.actions.refresh();
    expect(chat.calls.slice(6)).toEqual(["startRun"]);
    held = new Promise(() => undefined);
    void chat.actions.selectThread("old");
    await chat.settle();
    void chat.actions.refresh();
    await chat.settle();
    expect(chat.calls.slice(7)).toEqual(["listMessages"]);
    const plain = await startScriptedChat({ threads: three });
    await plain.actions.refresh();
    expect(plain.calls).toEqual(["listThreads", "listMessages"]);
  });

  it("changes nothing when it fails", async () => {
    const chat = await startScriptedChat({ threads: three }, resume);
    const before = chat.store.get();
    chat.backend.before = () => {
      throw new HttpError("Failed to fetch", { status: 0 });
    };
    await chat.actions.refresh();
    expect(chat.store.get()).toBe(before);
  });
});
