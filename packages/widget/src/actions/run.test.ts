// @vitest-environment node
import type { StreamEvent } from "@nitka/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ScriptedRun } from "../transport/scripted-transport.ts";
import { noon, startScriptedChat } from "./scripted-chat.ts";

beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

const text = (delta: string): StreamEvent => ({ type: "text-delta", id: "1", delta });

describe("sending", () => {
  it("shows the question and an empty answer at once, clears the composer and marks the thread as running", async () => {
    const chat = await startScriptedChat();
    chat.actions.setDraft("t1", "Привет");
    void chat.actions.send("t1");
    expect(chat.shown()).toEqual(["user: Привет", "assistant:  [running]"]);
    expect(chat.store.get().drafts).toEqual({});
    expect(chat.conversation().run).toEqual({ questionId: "id1", answerId: "id2", phase: "sending" });
  });

  it("posts the question alone, with its id and its parent: when it was asked is for the server to say", async () => {
    const chat = await startScriptedChat();
    await chat.actions.sendText("t1", "Привет");
    await chat.settle();
    const messages = [{ id: "id1", role: "user", content: "Привет", parentId: null }];
    expect(chat.last().request).toEqual({ messages });
  });

  it("writes what is said a frame at a time, and tells the view which text is new", async () => {
    const chat = await startScriptedChat();
    await chat.actions.sendText("t1", "Привет");
    await chat.settle();
    await chat.say({ type: "start", messageId: "m1" }, text("При"), text("вет"));
    await chat.say(text("!"));
    expect(chat.shown()).toEqual(["user: Привет", "assistant: Привет! [running]"]);
    expect(chat.conversation().run).toEqual({
      questionId: "id1",
      answerId: "m1",
      phase: "streaming",
      appended: { partIndex: 0, from: 6, text: "!" },
    });
  });

  it("writes at most every other frame of sixty a second", async () => {
    const chat = await startScriptedChat();
    await chat.actions.sendText("t1", "Привет");
    await chat.settle();
    await chat.say(text("При"));
    chat.last().emit([text("вет")]);
    await chat.settle(1000 / 60);
    expect(chat.shown()[1]).toBe("assistant: При [running]");
    await chat.settle(1000 / 60);
    expect(chat.shown()[1]).toBe("assistant: Привет [running]");
  });

  it("renames the answer in place: its key and its only branch stay", async () => {
    const chat = await startScriptedChat();
    await chat.actions.sendText("t1", "Привет");
    await chat.settle();
    await chat.say({ type: "start", messageId: "m1" }, text("Да"));
    await chat.say({ type: "finish" });
    expect(chat.conversation()).toMatchObject({ headId: "m1", keys: { m1: "id2" } });
    expect(chat.shown()).toEqual(["user: Привет", "assistant: Да [complete]"]);
  });

  it("spreads a burst over frames, so that none has too much to do", async () => {
    const chat = await startScriptedChat();
    await chat.actions.sendText("t1", "Привет");
    await chat.settle();
    await chat.say(text("я".repeat(10_000)), { type: "finish" });
    expect(chat.shown()[1]).toBe(`assistant: ${"я".repeat(6000)} [running]`);
    await chat.settle();
    expect(chat.shown()[1]).toBe(`assistant: ${"я".repeat(10_000)} [complete]`);
  });

  it("does nothing without text, and nothing twice", async () => {
    const chat = await startScriptedChat();
    chat.actions.setDraft("t1", "  \n");
    await chat.actions.send("t1");
    chat.actions.setDraft("t1", "Привет");
    void chat.actions.send("t1");
    void chat.actions.send("t1");
    await chat.actions.sendText("t1", "Ещё");
    await chat.settle();
    expect(chat.runs).toHaveLength(1);
    expect(chat.shown()).toEqual(["user: Привет", "assistant:  [running]"]);
  });

  it("names the chosen model where there is a choice", async () => {
    const models = [{ id: "fast", name: "Быстрая" }];
    const chat = await startScriptedChat({}, { models, model: "fast" });
    await chat.actions.sendText("t1", "Привет");
    await chat.settle();
    expect(chat.last().request?.model).toBe("fast");
  });

  it("goes on in a thread that is no longer shown", async () => {
    const second = { threadId: "t2", updatedAt: new Date(2026, 10, 20).toISOString() };
    const chat = await startScriptedChat({ threads: [{ threadId: "t1", updatedAt: noon.toISOString() }, second] });
    await chat.actions.sendText("t1", "Привет");
    await chat.settle();
    await chat.actions.selectThread("t2");
    await chat.say(text("Да"), { type: "finish" });
    expect(chat.shown()).toEqual([]);
    await chat.actions.selectThread("t1");
    expect(chat.shown()).toEqual(["user: Привет", "assistant: Да [complete]"]);
  });
});

describe("an end", () => {
  const endings: readonly (readonly [string, (run: ScriptedRun) => void, string])[] = [
    ["finish", (run) => run.emit([{ type: "finish" }]), "complete"],
    ["[DONE]", (run) => run.done(), "complete"],
    ["error", (run) => run.emit([{ type: "error", errorText: "Модель устала" }]), "error «Модель устала»"],
    ["abort", (run) => run.emit([{ type: "abort" }]), "cancelled"],
    ["a mere close", (run) => run.close(), "error"],
    ["a broken connection", (run) => run.fail(new TypeError("network error")), "error"],
  ];
  it.each(endings)("by %s settles the answer and clears the running flag", async (_, end, state) => {
    const chat = await startScriptedChat();
    await chat.actions.sendText("t1", "Привет");
    await chat.settle();
    await chat.say(text("Да"));
    end(chat.last());
    await chat.settle();
    expect(chat.shown()).toEqual(["user: Привет", `assistant: Да [${state}]`]);
    expect(chat.conversation().run).toBeUndefined();
  });

  it("that is an error is logged with the status and the text", async () => {
    const chat = await startScriptedChat();
    await chat.actions.sendText("t1", "Привет");
    await chat.settle();
    await chat.say({ type: "error", errorText: "Модель устала" });
    expect(chat.logged).toEqual(["Upstream 200: Модель устала"]);
  });

  it("that is a lost connection says so beside the answer, and not as the assistant's words", async () => {
    const chat = await startScriptedChat();
    await chat.actions.sendText("t1", "Привет");
    await chat.settle();
    chat.last().close();
    await chat.settle();
    expect(chat.conversation().failures).toMatchObject({ id2: { kind: "lost" } });
  });

  it("still hears the title that comes after it", async () => {
    const chat = await startScriptedChat();
    await chat.actions.sendText("t1", "Привет");
    await chat.settle();
    await chat.say({ type: "finish" });
    await chat.say({ type: "data-title", title: "Погода" });
    await vi.advanceTimersByTimeAsync(60);
    expect(chat.store.get().threads.typedTitles).toEqual({ t1: "Пог" });
    await vi.advanceTimersByTimeAsync(60);
    expect(chat.store.get().threads).toMatchObject({ typedTitles: {}, items: [{ title: "Погода" }] });
  });

  it("shows what the assistant says that it does, until it is over", async () => {
    const chat = await startScriptedChat();
    await chat.actions.sendText("t1", "Привет");
    await chat.settle();
    await chat.say({ type: "data-thinking", text: "Ищу" });
    expect(chat.conversation().run?.activity).toBe("Ищу");
  });

  it("is told to the host page: the question, the run, its calls of tools, the answer", async () => {
    const chat = await startScriptedChat();
    await chat.actions.sendText("t1", "Привет");
    await chat.settle();
    const call = { toolCallId: "c1", toolName: "weather" };
    await chat.say(
      { type: "start", messageId: "m1" },
      { type: "tool-input-start", ...call },
      { type: "tool-input-available", ...call, input: { city: "Минск" } },
      text("Да"),
      { type: "finish" },
    );
    const told = chat.events.map((event) =>
      event.type === "message" ? { type: "message", role: event.message.role } : event,
    );
    expect(told).toEqual([
      { type: "runstart", threadId: "t1", messageId: "id1" },
      { type: "message", role: "user" },
      { type: "toolcall", threadId: "t1", messageId: "m1", ...call, args: { city: "Минск" } },
      { type: "message", role: "assistant" },
      { type: "runend", threadId: "t1", messageId: "m1", status: { type: "complete" } },
    ]);
  });

  it("of a run that goes with its thread is told too", async () => {
    const chat = await startScriptedChat();
    await chat.actions.sendText("t1", "Привет");
    await chat.settle();
    await chat.actions.archiveThread("t1");
    await chat.settle();
    expect(chat.events.filter(({ type }) => type === "runend")).toEqual([
      { type: "runend", threadId: "t1", messageId: "id2", status: { type: "incomplete", reason: "cancelled" } },
    ]);
  });
});
