// @vitest-environment node
import type { Message, StreamEvent } from "@nitka/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ScriptedRun } from "../../transport/scripted-transport.ts";
import { createScriptedTransport } from "../../transport/scripted-transport.ts";
import type { RunStream, Transport } from "../../transport/transport.ts";
import { HttpError } from "../../transport/http-error.ts";
import { noon, startAskedChat, startScriptedChat } from "../scripted-chat.ts";

beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

const text = (delta: string): StreamEvent => ({ type: "text-delta", id: "1", delta });
const question: Message = { id: "q", role: "user", content: "Как дела?", parentId: null };
const resumable = { resume: true, cancel: true, upload: true, branch: true };

describe("stopping", () => {
  it("closes the connection and keeps the text if the backend cannot cancel", async () => {
    const chat = await startAskedChat();
    await chat.say(text("Да, "));
    await chat.actions.stop("t1");
    expect(chat.last().signal.aborted).toBe(true);
    expect(chat.shown()).toEqual(["user: Привет", "assistant: Да,  [cancelled]"]);
  });

  it("cancels the run on the server, and still reads its last events", async () => {
    const chat = await startAskedChat({}, { features: resumable });
    await chat.say(text("Да"));
    const stopped = chat.actions.stop("t1");
    await chat.say(text(", но"), { type: "abort" });
    await stopped;
    expect(chat.calls).toContain("cancelRun");
    expect(chat.shown()).toEqual(["user: Привет", "assistant: Да, но [cancelled]"]);
  });

  it("rejoins a run whose connection is lost, to read its end", async () => {
    const chat = await startAskedChat({}, { features: resumable });
    chat.last().close();
    await chat.settle();
    void chat.actions.stop("t1");
    await chat.settle();
    expect(chat.runs).toHaveLength(2);
    await chat.say({ type: "start", messageId: "m1" }, text("Да"), { type: "abort" });
    expect(chat.shown()).toEqual(["user: Привет", "assistant: Да [cancelled]"]);
  });

  it("waits 3 s at most for a server that does not end the run", async () => {
    const chat = await startAskedChat({}, { features: resumable });
    void chat.actions.stop("t1");
    await vi.advanceTimersByTimeAsync(3000);
    expect(chat.shown()).toEqual(["user: Привет", "assistant:  [cancelled]"]);
  });
});

describe("a stop", () => {
  it("is shown at once, and takes effect although the cancel request hangs", async () => {
    const hangs = (call: string) => (call === "cancelRun" ? new Promise<void>(() => undefined) : undefined);
    const chat = await startAskedChat({ before: hangs }, { features: resumable });
    await chat.say(text("Да"));
    void chat.actions.stop("t1");
    expect(chat.conversation().run?.phase).toBe("stopping");
    await vi.advanceTimersByTimeAsync(3000);
    await chat.say(text(", но"));
    expect(chat.shown()).toEqual(["user: Привет", "assistant: Да [cancelled]"]);
    expect(chat.conversation().run).toBeUndefined();
  });

  it("that comes after the end leaves the answer whole", async () => {
    const before = (call: string) => {
      if (call === "cancelRun") throw new HttpError("HTTP 404: no run", { status: 404 });
    };
    const chat = await startAskedChat({ before }, { features: resumable });
    await chat.say(text("Да"));
    const stopped = chat.actions.stop("t1");
    await chat.settle();
    await chat.say(text(", конечно."), { type: "finish" });
    await stopped;
    expect(chat.shown()).toEqual(["user: Привет", "assistant: Да, конечно. [complete]"]);
  });

  it("ends the answer although more of it was received than is written", async () => {
    // Like a response's body: data that has been received is delivered although the call is aborted meanwhile.
    async function* burst(): RunStream {
      for (let count = 0; count < 1500; count += 1) yield { event: text("я") };
      return new Promise(() => undefined);
    }
    const transport: Transport = {
      ...createScriptedTransport({
        script: { threads: [{ threadId: "t1", updatedAt: noon.toISOString() }], messages: {} },
        now: () => noon,
        newId: () => "new",
      }),
      startRun: () => Promise.resolve(burst()),
    };
    const chat = await startScriptedChat({}, {}, { transport });
    await chat.actions.sendText("t1", "Привет");
    for (let tick = 0; tick < 5000; tick += 1) await Promise.resolve();
    await chat.actions.stop("t1");
    for (let tick = 0; tick < 5000; tick += 1) await Promise.resolve();
    await chat.settle();
    await chat.settle();
    expect(chat.shown()[1]).toMatch(/\[cancelled\]$/);
  });
});

describe("a stream that stays open after its answer has settled", () => {
  it("does not write into the thread's next run", async () => {
    const chat = await startScriptedChat();
    await chat.actions.sendText("t1", "Первый");
    await chat.settle();
    const first = chat.last();
    await chat.say({ type: "finish" });
    await chat.actions.sendText("t1", "Второй");
    first.emit([{ type: "data-progress", text: "Ищу для первого" }]);
    await chat.settle();
    expect(chat.conversation().run).toEqual({ questionId: "id3", answerId: "id4", phase: "streaming" });
  });
});

describe("a lost connection", () => {
  it("is given up if each replay breaks at the same event", async () => {
    const onRun = (run: ScriptedRun) => {
      run.emit([{ type: "start", messageId: "m1" }, text("При")]);
      run.close();
    };
    const chat = await startScriptedChat({ onRun }, { features: resumable });
    await chat.actions.sendText("t1", "Привет");
    for (let second = 0; second < 90; second += 1) {
      await vi.advanceTimersByTimeAsync(1000);
      await chat.settle();
    }
    expect(chat.shown()).toEqual(["user: Привет", "assistant: При [error]"]);
    expect(chat.calls.filter((call) => call === "joinRun")).toHaveLength(8);
  });

  it("is rejoined after the last event that was received", async () => {
    const chat = await startAskedChat({}, { features: resumable });
    chat.last().emit([{ type: "start", messageId: "m1" }, text("При")], 1);
    await chat.settle();
    chat.last().fail(new TypeError("network error"));
    await chat.settle();
    expect(chat.conversation().run?.phase).toBe("rejoining");
    await vi.advanceTimersByTimeAsync(500);
    expect(chat.last().after).toBe("run:2");
    chat.last().emit([text("вет"), { type: "finish" }], 3);
    await chat.settle();
    expect(chat.shown()).toEqual(["user: Привет", "assistant: Привет [complete]"]);
    expect(chat.logged).toEqual([]);
  });

  it("is rejoined at once when the network is back", async () => {
    const chat = await startAskedChat({}, { features: resumable });
    chat.last().close();
    await chat.settle();
    chat.actions.reconnect();
    await chat.settle();
    expect(chat.runs).toHaveLength(2);
  });

  it("settles the answer from the stored messages when the run has ended meanwhile", async () => {
    const chat = await startAskedChat({ joinable: () => false }, { features: resumable });
    await chat.say({ type: "start", messageId: "m1" }, text("При"));
    const asked = chat.last().request?.messages[0] as Message;
    const answer: Message = {
      id: "m1",
      role: "assistant",
      content: "Привет!",
      parentId: asked.id,
      status: { type: "complete" },
    };
    chat.backend.messages = { t1: [asked, answer] };
    chat.last().close();
    await vi.advanceTimersByTimeAsync(500);
    expect(chat.shown()).toEqual(["user: Привет", "assistant: Привет! [complete]"]);
  });

  it("settles the answer from the stored messages and follows the run that came after it", async () => {
    const chat = await startScriptedChat({ joinable: (_, after) => after === undefined }, { features: resumable });
    await chat.actions.sendText("t1", "Раз");
    await chat.settle();
    chat.last().emit([{ type: "start", messageId: "m1" }, text("Пер")], 1);
    await chat.settle();
    const asked = chat.last().request?.messages[0] as Message;
    chat.backend.messages = {
      t1: [
        asked,
        { id: "m1", role: "assistant", content: "Первый", parentId: asked.id, status: { type: "complete" } },
        { id: "q2", role: "user", content: "Два", parentId: "m1" },
        { id: "m2", role: "assistant", content: "Вто", parentId: "q2", status: { type: "running" } },
      ],
    };
    chat.last().close();
    await vi.advanceTimersByTimeAsync(500);
    expect(chat.shown()).toEqual([
      "user: Раз",
      "assistant: Первый [complete]",
      "user: Два",
      "assistant: Вто [running]",
    ]);
    await chat.say({ type: "start", messageId: "m2" }, text("Второй"), { type: "finish" });
    expect(chat.shown().slice(1)).toEqual([
      "assistant: Первый [complete]",
      "user: Два",
      "assistant: Второй [complete]",
    ]);
  });

  it("finds the answer by its question when its id is not known, and keeps its key", async () => {
    const chat = await startAskedChat({ joinable: () => false }, { features: resumable });
    const asked = chat.last().request?.messages[0] as Message;
    const answer: Message = {
      id: "m1",
      role: "assistant",
      content: "Да",
      parentId: asked.id,
      status: { type: "complete" },
    };
    chat.backend.messages = { t1: [asked, answer] };
    chat.last().close();
    await vi.advanceTimersByTimeAsync(500);
    expect(chat.shown()).toEqual(["user: Привет", "assistant: Да [complete]"]);
    expect(chat.conversation().keys).toEqual({ m1: "id2" });
  });

  it("posts an unconfirmed question again under the same id", async () => {
    let broken = true;
    const chat = await startAskedChat(
      {
        before: (call) => {
          if (call === "startRun" && broken) throw new HttpError("Failed to fetch", { status: 0 });
        },
      },
      { features: resumable },
    );
    broken = false;
    await vi.advanceTimersByTimeAsync(500);
    expect(chat.runs.map((run) => run.request?.messages[0].id)).toEqual(["id1"]);
    expect(chat.calls.filter((call) => call === "startRun")).toHaveLength(2);
  });

  it("is given up after the last attempt, and «Повторить» rejoins the run instead of starting another", async () => {
    let broken = false;
    const chat = await startAskedChat(
      {
        before: (call) => {
          if (call === "joinRun" && broken) throw new HttpError("Failed to fetch", { status: 0 });
        },
      },
      { features: resumable },
    );
    await chat.say({ type: "start", messageId: "m1" }, text("При"));
    broken = true;
    chat.last().close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(chat.shown()).toEqual(["user: Привет", "assistant: При [error]"]);
    expect(chat.conversation().failures).toMatchObject({ m1: { kind: "lost" } });

    broken = false;
    void chat.actions.retry("t1", "m1");
    await chat.settle();
    expect(chat.last().request).toBeUndefined();
    await chat.say({ type: "start", messageId: "m1" }, text("Привет"), { type: "finish" });
    expect(chat.shown()).toEqual(["user: Привет", "assistant: Привет [complete]"]);
  });
});

describe("a thread whose last answer is running", () => {
  const running: Message = {
    id: "a",
    role: "assistant",
    content: "Хорошо, а",
    parentId: "q",
    status: { type: "running" },
  };

  it("is joined from the first event on, and never shows less text than before", async () => {
    const chat = await startScriptedChat({ messages: { t1: [question, running] } }, { features: resumable });
    await chat.settle();
    expect(chat.last().after).toBeUndefined();
    await chat.say({ type: "start", messageId: "a" }, text("Хоро"));
    expect(chat.shown()[1]).toBe("assistant: Хорошо, а [running]");
    await chat.say(text("шо, а у тебя?"));
    expect(chat.shown()[1]).toBe("assistant: Хорошо, а у тебя? [running]");
  });

  it("is shown as interrupted if runs cannot be joined", async () => {
    const chat = await startScriptedChat({ messages: { t1: [question, running] } });
    await chat.settle();
    expect(chat.shown()).toEqual(["user: Как дела?", "assistant: Хорошо, а [interrupted]"]);
  });
});

describe("destroying the widget", () => {
  it("closes its connections and writes nothing more", async () => {
    const chat = await startAskedChat({}, { features: resumable });
    const before = chat.conversation();
    chat.close();
    await chat.say(text("Да"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(chat.last().signal.aborted).toBe(true);
    expect(chat.runs).toHaveLength(1);
    expect(chat.conversation()).toBe(before);
    expect(chat.logged).toEqual([]);
  });
});
