// @vitest-environment node
import type { StreamEvent } from "@nitka/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HttpError } from "../../transport/http-error.ts";
import type { ScriptedRun } from "../../transport/scripted-transport.ts";
import { noon, startAskedChat, startScriptedChat } from "../scripted-chat.ts";

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
    expect(chat.conversation().run).toEqual({ questionId: "id1", answerId: "id2", phase: "preparing" });
  });

  it("posts the question alone, with its id and its parent, and without a date", async () => {
    const chat = await startAskedChat();
    const messages = [{ id: "id1", role: "user", content: "Привет", parentId: null }];
    expect(chat.last().request).toEqual({ messages });
  });

  it("writes the events of a frame together, and says which text is new", async () => {
    const chat = await startAskedChat();
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
    const chat = await startAskedChat();
    await chat.say(text("При"));
    chat.last().emit([text("вет")]);
    await chat.settle(1000 / 60);
    expect(chat.shown()[1]).toBe("assistant: При [running]");
    await chat.settle(1000 / 60);
    expect(chat.shown()[1]).toBe("assistant: Привет [running]");
  });

  it("renames the answer in place, with its key and without a second branch", async () => {
    const chat = await startAskedChat();
    await chat.say({ type: "start", messageId: "m1" }, text("Да"));
    await chat.say({ type: "finish" });
    expect(chat.conversation()).toMatchObject({ headId: "m1", keys: { m1: "id2" } });
    expect(chat.shown()).toEqual(["user: Привет", "assistant: Да [complete]"]);
  });

  it("spreads a burst over frames", async () => {
    const chat = await startAskedChat();
    await chat.say(text("я".repeat(10_000)), { type: "finish" });
    expect(chat.shown()[1]).toBe(`assistant: ${"я".repeat(6000)} [running]`);
    await chat.settle();
    expect(chat.shown()[1]).toBe(`assistant: ${"я".repeat(10_000)} [complete]`);
  });

  it("does nothing without text, and sends a draft once", async () => {
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

  it("sends the chosen model where the config has several", async () => {
    const models = [{ id: "fast", name: "Быстрая" }];
    const chat = await startAskedChat({}, { models, model: "fast" });
    expect(chat.last().request?.model).toBe("fast");
  });

  it("continues in a thread that is no longer shown", async () => {
    const second = { threadId: "t2", updatedAt: new Date(2026, 10, 20).toISOString() };
    const chat = await startAskedChat({ threads: [{ threadId: "t1", updatedAt: noon.toISOString() }, second] });
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
    const chat = await startAskedChat();
    await chat.say(text("Да"));
    end(chat.last());
    await chat.settle();
    expect(chat.shown()).toEqual(["user: Привет", `assistant: Да [${state}]`]);
    expect(chat.conversation().run).toBeUndefined();
  });

  it("by an error is logged with the status and the text", async () => {
    const chat = await startAskedChat();
    await chat.say({ type: "error", errorText: "Модель устала" });
    expect(chat.logged).toEqual(["Upstream 200: Модель устала"]);
  });

  it("by a lost connection is a failure beside the answer, not the assistant's text", async () => {
    const chat = await startAskedChat();
    chat.last().close();
    await chat.settle();
    expect(chat.conversation().failures).toMatchObject({ id2: { kind: "lost" } });
  });

  it("by a broken connection tells the host why it broke", async () => {
    const chat = await startAskedChat();
    const cause = new TypeError("network error");
    chat.last().fail(cause);
    await chat.settle();
    const [error] = chat.events.flatMap((event) => (event.type === "error" ? event.detail : []));
    expect([error?.message, error?.cause]).toEqual(["the connection closed before the answer ended", cause]);
  });

  it("is followed by the title, which is still read", async () => {
    const chat = await startAskedChat();
    await chat.say({ type: "finish" });
    await chat.say({ type: "data-title", title: "Погода" });
    await vi.advanceTimersByTimeAsync(60);
    expect(chat.store.get().threads.typedTitles).toEqual({ t1: "Пог" });
    await vi.advanceTimersByTimeAsync(60);
    expect(chat.store.get().threads).toMatchObject({ typedTitles: {}, items: [{ title: "Погода" }] });
  });

  it("comes after the activity that the assistant reports", async () => {
    const chat = await startAskedChat();
    await chat.say({ type: "data-thinking", text: "Ищу" });
    expect(chat.conversation().run?.activity).toBe("Ищу");
  });

  it("comes last among the host's events: run, question, tool call, answer, end", async () => {
    const chat = await startAskedChat();
    const call = { toolCallId: "c1", toolName: "weather" };
    await chat.say(
      { type: "start", messageId: "m1" },
      { type: "tool-input-start", ...call },
      { type: "tool-input-available", ...call, input: { city: "Минск" } },
      text("Да"),
      { type: "finish" },
    );
    const told = chat.events.map((event) =>
      event.type === "message" ? { type: "message", role: event.detail.message.role } : event,
    );
    expect(told).toEqual([
      { type: "runstart", detail: { threadId: "t1", messageId: "id1" } },
      { type: "message", role: "user" },
      { type: "toolcall", detail: { threadId: "t1", messageId: "m1", ...call, args: { city: "Минск" } } },
      { type: "message", role: "assistant" },
      { type: "runend", detail: { threadId: "t1", messageId: "m1", status: { type: "complete" } } },
    ]);
  });

  it("is emitted without the question's event until the backend has confirmed the question, which is emitted once", async () => {
    let isBroken = true;
    const before = (call: string) => {
      if (call === "startRun" && isBroken) throw new HttpError("Failed to fetch", { status: 0 });
    };
    const chat = await startScriptedChat({ before }, { features: { resume: true } });
    const told = () =>
      chat.events.flatMap((event) => (event.type === "message" ? event.detail.message.role : event.type));
    await chat.actions.sendText("t1", "Привет");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told()).toEqual(["runstart", "error", "assistant", "runend"]);
    isBroken = false;
    void chat.actions.retry("t1", chat.conversation().messages.at(-1)?.id ?? "");
    await chat.settle();
    await chat.say({ type: "finish" });
    expect(told().slice(4)).toEqual(["runstart", "user", "assistant", "runend"]);
  });

  it("is an event too when the thread is archived", async () => {
    const chat = await startAskedChat();
    await chat.actions.archiveThread("t1");
    await chat.settle();
    expect(chat.events.filter(({ type }) => type === "runend")).toEqual([
      {
        type: "runend",
        detail: { threadId: "t1", messageId: "id2", status: { type: "incomplete", reason: "cancelled" } },
      },
    ]);
  });
});
