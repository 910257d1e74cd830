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

  it("loads the id of the other one's answer, where that settled before its id was sent", async () => {
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

  it("has no parent on a plain backend, where the id of the other one's answer is unknown", async () => {
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
