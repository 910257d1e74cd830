// @vitest-environment node
import type { Message } from "@nitka/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HttpError } from "../transport/http-error.ts";
import { noon, startScriptedChat } from "./scripted-chat.ts";

beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

const resumable = { resume: true, cancel: true };

describe("a question after another one", () => {
  it("follows the last message that the backend has, where the other one was not confirmed", async () => {
    let isDown = true;
    const old: Message = { id: "m", role: "assistant", content: "Слушаю", parentId: null };
    const chat = await startScriptedChat({
      messages: { t1: [old] },
      before: (call) => {
        if (call === "startRun" && isDown) throw new HttpError("HTTP 500 : ", { status: 500 });
      },
    });
    await chat.actions.sendText("t1", "Первый");
    await chat.settle();
    isDown = false;
    await chat.actions.sendText("t1", "Второй");
    await chat.settle();
    expect(chat.last().request?.messages).toEqual([{ id: "id3", role: "user", content: "Второй", parentId: "m" }]);
    expect(chat.shown()).toEqual(["assistant: Слушаю", "user: Второй 2/2", "assistant:  [running]"]);
  });

  it("loads the id of the other one's answer if that settled before the backend sent its id", async () => {
    const chat = await startScriptedChat({}, { features: resumable });
    await chat.actions.sendText("t1", "Первый");
    await chat.settle();
    void chat.actions.stop("t1");
    await vi.advanceTimersByTimeAsync(3000);
    const first: Message = { id: "id1", role: "user", content: "Первый", parentId: null };
    const answer: Message = {
      id: "m1",
      role: "assistant",
      content: "",
      parentId: "id1",
      status: { type: "incomplete", reason: "cancelled" },
    };
    chat.backend.messages = { t1: [first, answer] };
    await chat.actions.sendText("t1", "Второй");
    await chat.settle();
    expect(chat.last().request?.messages).toEqual([{ id: "id3", role: "user", content: "Второй", parentId: "m1" }]);
    expect(chat.shown()).toEqual(["user: Первый", "assistant:  [cancelled]", "user: Второй", "assistant:  [running]"]);
    expect(chat.conversation().keys).toEqual({ m1: "id2" });
  });

  it("has no parent on a plain backend that has not sent the id of the other one's answer", async () => {
    const chat = await startScriptedChat();
    await chat.actions.sendText("t1", "Первый");
    await chat.settle();
    await chat.actions.stop("t1");
    await chat.actions.sendText("t1", "Второй");
    await chat.settle();
    expect(chat.last().request?.messages).toEqual([{ id: "id3", role: "user", content: "Второй" }]);
    expect(chat.calls.filter((call) => call === "listMessages")).toHaveLength(1);
  });
});

describe("a running answer that a question's request has shown", () => {
  const running: Message[] = [
    { id: "id1", role: "user", content: "Первый", parentId: null },
    { id: "m1", role: "assistant", content: "", parentId: "id1", status: { type: "running" } },
  ];
  /** The first question is stopped before its answer has an id. The cancel request fails, so the run continues. */
  const startUnstopped = async (
    before: (call: string, started: number, listed: number) => void,
    late: unknown = null,
  ) => {
    // A page loads this code with the first question.
    await import("./tools/page-tools.ts");
    let [started, listed] = [0, 0];
    let page: unknown = null;
    const chat = await startScriptedChat(
      {
        joinable: () => true,
        before: (call) => {
          if (call === "cancelRun") throw new HttpError("HTTP 500 : ", { status: 500 });
          if (call === "startRun") started += 1;
          if (call === "listMessages") listed += 1;
          before(call, started, listed);
        },
      },
      { features: { ...resumable, pageContext: true } },
      { pageOffer: () => ({ pageContext: () => page }) },
    );
    await chat.actions.sendText("t1", "Первый");
    await chat.settle();
    void chat.actions.stop("t1");
    await vi.advanceTimersByTimeAsync(5000);
    page = late;
    chat.backend.messages = { t1: running };
    return chat;
  };

  it("is followed where that question is refused, and the messages cannot be loaded again", async () => {
    const chat = await startUnstopped((call, started, listed) => {
      if (call === "startRun" && started === 2) throw new HttpError("HTTP 409 : ", { status: 409 });
      if (call === "listMessages" && listed > 2) throw new HttpError("no response", { status: 0 });
    });
    void chat.actions.sendText("t1", "Второй");
    await chat.settle();
    expect(chat.calls.slice(-4)).toEqual(["listMessages", "startRun", "listMessages", "joinRun"]);
    expect(chat.conversation().run?.answerId).toBe("m1");
    await chat.say({ type: "text-delta", delta: "Да" }, { type: "finish" });
    expect(chat.shown()).toEqual(["user: Первый", "assistant: Да [complete]"]);
  });

  it("is followed when that question is withdrawn before it has left the page", async () => {
    const chat = await startUnstopped(() => undefined, new Promise(() => undefined));
    chat.actions.setDraft("t1", "Второй");
    void chat.actions.send("t1");
    await chat.settle();
    void chat.actions.stop("t1");
    await chat.settle();
    expect(chat.calls.slice(-2)).toEqual(["listMessages", "joinRun"]);
    expect(chat.store.get().drafts["t1"]?.text).toBe("Второй");
    await chat.say({ type: "text-delta", delta: "Да" }, { type: "finish" });
    expect(chat.shown()).toEqual(["user: Первый", "assistant: Да [complete]"]);
  });
});
