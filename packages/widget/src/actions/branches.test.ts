// @vitest-environment node
import type { Message, StreamEvent } from "@nitka/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HttpError } from "../transport/http-error.ts";
import { noon, startAskedChat, startScriptedChat } from "./scripted-chat.ts";

beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

const text = (delta: string): StreamEvent => ({ type: "text-delta", id: "1", delta });
const question: Message = { id: "q", role: "user", content: "Как дела?", parentId: null };
const resumable = { resume: true, cancel: true, upload: true, branch: true };

describe("a refused question", () => {
  const refusal = new HttpError("Upstream 500: сломалось", { status: 500 });

  it("is logged, stays in the thread with its error, and is posted again under the same id", async () => {
    let broken = true;
    const chat = await startAskedChat({
      before: (call) => {
        if (call === "startRun" && broken) throw refusal;
      },
    });
    expect(chat.logged).toEqual(["Upstream 500: сломалось"]);
    expect(chat.shown()).toEqual(["user: Привет", "assistant:  [error «Upstream 500: сломалось»]"]);

    broken = false;
    void chat.actions.retry("t1", "id2");
    await chat.settle();
    expect(chat.last().request?.messages[0].id).toBe("id1");
    expect(chat.last().request?.trigger).toBeUndefined();
    await chat.say(text("Да"), { type: "finish" });
    expect(chat.shown()).toEqual(["user: Привет", "assistant: Да [complete]"]);
  });

  it("returns to the composer when another run is active, and that run is shown", async () => {
    const busy = new HttpError("Upstream 409: …", { status: 409, code: "run_in_progress" });
    const running: Message = {
      id: "a",
      role: "assistant",
      content: "Хоро",
      parentId: "q",
      status: { type: "running" },
    };
    let elsewhere: readonly Message[] = [];
    const chat = await startScriptedChat(
      {
        before: (call) => {
          if (call !== "startRun") return;
          elsewhere = [question, running];
          chat.backend.messages = { t1: elsewhere };
          throw busy;
        },
      },
      { features: resumable },
    );
    await chat.actions.sendText("t1", "А у меня?");
    await chat.settle();
    expect(chat.store.get().drafts["t1"]).toMatchObject({ text: "А у меня?", failure: { kind: "busy" } });
    expect(chat.shown()).toEqual(["user: Как дела?", "assistant: Хоро [running]"]);
    await chat.say({ type: "start", messageId: "a" }, text("Хорошо"), { type: "finish" });
    expect(chat.shown()).toEqual(["user: Как дела?", "assistant: Хорошо [complete]"]);
  });
});

describe("branches", () => {
  const answer: Message = {
    id: "a",
    role: "assistant",
    content: "Хорошо",
    parentId: "q",
    status: { type: "complete" },
  };

  it("grow by an answer when one is regenerated", async () => {
    const chat = await startScriptedChat({ messages: { t1: [question, answer] } });
    chat.actions.regenerate("t1", "a");
    await chat.settle();
    expect(chat.last().request).toMatchObject({ trigger: "regenerate-message", messages: [{ id: "q" }] });
    await chat.say({ type: "start", messageId: "b" }, text("Плохо"), { type: "finish" });
    expect(chat.shown()).toEqual(["user: Как дела?", "assistant: Плохо [complete] 2/2"]);
  });

  it("grow by a question with the same attachments when one is edited", async () => {
    const attachments = [{ id: "f", type: "file", name: "f", contentType: "a/b", size: 1, url: "f" }] as const;
    const chat = await startScriptedChat({ messages: { t1: [{ ...question, attachments }, answer] } });
    chat.actions.beginEdit("t1", "q");
    chat.actions.setEditDraft("t1", "Как погода?");
    void chat.actions.submitEdit("t1");
    await chat.settle();
    expect(chat.last().request?.messages).toMatchObject([{ content: "Как погода?", parentId: null, attachments }]);
    expect(chat.shown()).toEqual(["user: Как погода? 2/2", "assistant:  [running]"]);
    expect(chat.conversation().edit).toBeUndefined();
  });

  it("can be selected, and the choice is sent to a backend that stores it", async () => {
    const other: Message = { ...answer, id: "b", content: "Плохо" };
    const chat = await startScriptedChat({ messages: { t1: [question, answer, other] } }, { features: resumable });
    chat.actions.selectBranch("t1", "a");
    expect(chat.shown()).toEqual(["user: Как дела?", "assistant: Хорошо [complete] 1/2"]);
    expect(chat.calls).toContain("selectBranch");
  });

  it("grow by an answer when one that failed on the backend is retried", async () => {
    const failed: Message = { ...answer, status: { type: "incomplete", reason: "error", error: "…" } };
    const chat = await startScriptedChat({ messages: { t1: [question, failed] } });
    void chat.actions.retry("t1", "a");
    await chat.settle();
    expect(chat.last().request?.trigger).toBe("regenerate-message");
  });
});
