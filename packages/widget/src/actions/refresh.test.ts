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

  it("shows another tab's question in the open thread, and its title", async () => {
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

  it("follows an answer that is being written for another tab", async () => {
    const chat = await startScriptedChat({ threads: three }, resume);
    chat.backend.messages = { new: [question, { ...answer, content: "", status: { type: "running" } }] };
    await chat.actions.refresh();
    await chat.say({ type: "start", messageId: "a" }, { type: "text-start", id: "t" });
    await chat.say({ type: "text-delta", id: "t", delta: "Иду" });
    expect(chat.shown()).toEqual(["user: Из другой вкладки", "assistant: Иду [running]"]);
  });

  it("follows a running answer as soon as it is visible, so that it can be stopped", async () => {
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

  it("does not overwrite local changes made meanwhile", async () => {
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
    // The backend's list is again the one from before.
    chat.backend.threads = three;
    chat.backend.messages = {};
    held.resolve();
    await refreshed;
    expect([chat.store.get().threads.items[0]?.title, chat.shown()]).toEqual([
      "Имя",
      ["user: Здесь", "assistant:  [complete]"],
    ]);
  });

  it("is one at a time, and none while it would show nothing new, in a hidden page or a closed panel, or of a plain backend", async () => {
    let held: Promise<void> | undefined;
    let hidden = false;
    const before = (call: string) => (call === "listMessages" ? held : undefined);
    const chat = await startScriptedChat({ threads: three, before }, resume, { isHidden: () => hidden });
    await Promise.all([chat.actions.refresh(), chat.actions.refresh()]);
    const calls = [...chat.calls];
    expect(calls).toEqual(["listThreads", "listMessages", "listThreads", "listMessages"]);
    hidden = true;
    await chat.actions.refresh();
    hidden = false;
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

  describe("for a visitor who could see the page meanwhile", () => {
    const refreshes = (chat: Awaited<ReturnType<typeof startScriptedChat>>) =>
      chat.calls.filter((call) => call === "listThreads").length - 1;

    it("is at least 15 s after the last one: five clicks into a frame and back cause at most one", async () => {
      const chat = await startScriptedChat({ threads: three }, resume);
      const counts = [];
      for (const ms of [0, 100, 900, 5000, 8999, 1]) {
        await vi.advanceTimersByTimeAsync(ms);
        await chat.actions.refresh("frame");
        counts.push(refreshes(chat));
      }
      expect(counts).toEqual([1, 1, 1, 1, 1, 2]);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(refreshes(chat)).toBe(2);
    });

    it("from another window refreshes later, and only once, if it comes too soon: that window may have changed something", async () => {
      const chat = await startScriptedChat({ threads: three }, resume);
      await chat.actions.refresh("window");
      chat.backend.messages = { new: [question, answer] };
      for (const ms of [3000, 3000, 3000]) {
        await vi.advanceTimersByTimeAsync(ms);
        await chat.actions.refresh("window");
      }
      await vi.advanceTimersByTimeAsync(5999);
      expect([refreshes(chat), chat.shown()]).toEqual([1, []]);
      await vi.advanceTimersByTimeAsync(1);
      await chat.settle();
      expect([refreshes(chat), chat.shown()]).toEqual([2, ["user: Из другой вкладки", "assistant: Да [complete]"]]);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(refreshes(chat)).toBe(2);
    });

    it("does not come later if one came at once after all, or if the page is hidden by then", async () => {
      let hidden = false;
      const chat = await startScriptedChat({ threads: three }, resume, { isHidden: () => hidden });
      await chat.actions.refresh("window");
      await vi.advanceTimersByTimeAsync(6000);
      await chat.actions.refresh("window");
      await chat.actions.refresh();
      await vi.advanceTimersByTimeAsync(10_000);
      expect(refreshes(chat)).toBe(2);
      await chat.actions.refresh("window");
      hidden = true;
      await vi.advanceTimersByTimeAsync(60_000);
      expect(refreshes(chat)).toBe(2);
    });

    it("shares the refresh of a page that is shown again, which comes at once", async () => {
      const chat = await startScriptedChat({ threads: three }, resume);
      for (let time = 0; time < 3; time += 1) {
        await chat.actions.refresh();
        await vi.advanceTimersByTimeAsync(100);
        await chat.actions.refresh("window");
        await vi.advanceTimersByTimeAsync(2000);
      }
      await vi.advanceTimersByTimeAsync(60_000);
      expect(refreshes(chat)).toBe(3);
    });

    it.each(["window", "frame"] as const)(
      "from a %s, and so does a question then, waits for the one that is under way",
      async (from) => {
        const held = Promise.withResolvers<void>();
        const chat = await startScriptedChat({ threads: three }, resume);
        chat.backend.messages = { new: [question, answer] };
        chat.backend.before = (call) => (call === "listMessages" ? held.promise : undefined);
        void chat.actions.refresh();
        await chat.settle();
        void chat.actions.refresh(from);
        await chat.settle();
        void chat.actions.sendText("new", "Ещё");
        await chat.settle();
        expect(chat.runs).toEqual([]);
        held.resolve();
        await chat.settle();
        expect(chat.last().request?.messages[0].parentId).toBe("a");
      },
    );

    it("is not delayed by a clock that is set back", async () => {
      const chat = await startScriptedChat({ threads: three }, resume);
      await chat.actions.refresh("window");
      vi.setSystemTime(noon.getTime() - 3_600_000);
      await chat.actions.refresh("window");
      expect(refreshes(chat)).toBe(2);
    });
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
