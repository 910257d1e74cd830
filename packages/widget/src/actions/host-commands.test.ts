// @vitest-environment node
import type { Message } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { conversationOf } from "../store/selectors.ts";
import { HttpError } from "../transport/http-error.ts";
import { noon, startScriptedChat as startChat } from "./scripted-chat.ts";

// The code for files and for the host normally loads when it is first needed. Loading it here makes the tests independent of
// that time.
beforeAll(() => Promise.all([import("./attachments.ts"), import("./host-commands.ts")]));
beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

const at = (hour: number) => new Date(2026, 10, 20, hour).toISOString();
const old: Message = { id: "m", role: "assistant", content: "Слушаю", parentId: null };
const two = {
  threads: [
    { threadId: "t1", updatedAt: at(12) },
    { threadId: "t2", updatedAt: at(11) },
  ],
  messages: { t2: [old] },
};
async function startScriptedChat(...options: Parameters<typeof startChat>) {
  const chat = await startChat(...options);
  return { ...chat, host: await chat.actions.host() };
}
type Chat = Awaited<ReturnType<typeof startScriptedChat>>;
const asked = (chat: Chat) =>
  chat.runs.map(({ threadId, request }) => {
    const [question] = request?.messages ?? [];
    return `${threadId}: ${question ? textOf(question) : ""} after ${question?.parentId ?? "nothing"}`;
  });

describe("the host's commands", () => {
  it("send a question after selectThread when that thread's messages are loaded, after the last one", async () => {
    const chat = await startScriptedChat(two);
    void chat.host.selectThread("t2");
    const sent = chat.host.send("Вопрос");
    await chat.settle();
    expect(asked(chat)).toEqual(["t2: Вопрос after m"]);
    expect(await sent).toEqual({ threadId: "t2", messageId: "id1" });
    expect(chat.shown()).toEqual(["assistant: Слушаю", "user: Вопрос", "assistant:  [running]"]);
  });

  it("send a question after newThread to the new thread", async () => {
    const chat = await startScriptedChat(two);
    const made = chat.host.newThread();
    void chat.host.send("Вопрос");
    await chat.settle();
    expect(await made).toEqual({ threadId: "new1" });
    expect(asked(chat)).toEqual(["new1: Вопрос after nothing"]);
  });

  it("open, close and mark the panel while a question waits for its thread", async () => {
    const chat = await startScriptedChat({ threads: [] }, {}, { hasLauncher: true });
    // The question waits for the list, which does not load in this test.
    chat.store.set((state) => ({ ...state, threads: { ...state.threads, load: { status: "loading" } } }));
    void chat.host.send("Привет").catch(() => undefined);
    await chat.host.open();
    expect(chat.store.get().panelOpen).toBe(true);
    await chat.host.close();
    await chat.host.notify("Есть ответ");
    expect([chat.store.get().panelOpen, chat.store.get().notice?.text]).toEqual([false, "Есть ответ"]);
  });

  it("send two questions one after the other", async () => {
    const chat = await startScriptedChat();
    void chat.host.send("Первый");
    void chat.host.send("Второй");
    await chat.settle();
    expect(asked(chat)).toEqual(["t1: Первый after nothing"]);
    await chat.say({ type: "start", messageId: "a1" }, { type: "finish" });
    expect(asked(chat)).toEqual(["t1: Первый after nothing", "t1: Второй after a1"]);
  });

  it("do not wait for a question of another thread", async () => {
    const chat = await startScriptedChat(two);
    void chat.host.send("Первый");
    void chat.host.send("Второй");
    void chat.host.selectThread("t2");
    void chat.host.send("Третий");
    await chat.settle();
    expect(asked(chat)).toEqual(["t1: Первый after nothing", "t2: Третий after m"]);
    expect(chat.store.get().threads.activeId).toBe("t2");
  });

  it("send a question with files to a thread that is not open", async () => {
    const chat = await startScriptedChat(two);
    const file = new File(["abc"], "кот.png", { type: "image/png" });
    void chat.host.send("Кто это?", { threadId: "t2", files: [file] });
    await chat.settle();
    expect(asked(chat)).toEqual(["t2: Кто это? after m"]);
    expect(chat.runs[0]?.request?.messages[0].attachments).toMatchObject([{ name: "кот.png", type: "image" }]);
    expect(chat.store.get().threads.activeId).toBe("t1");
    expect(chat.store.get().drafts).toEqual({});
  });

  it("make no second thread when they are called before the list is loaded", async () => {
    const chat = await startScriptedChat(
      { threads: [] },
      {},
      {},
      { early: (actions) => void actions.host().then((commands) => commands.newThread()) },
    );
    await chat.settle();
    expect(chat.calls.filter((call) => call === "createThread")).toHaveLength(1);
  });

  it("make a launcher's thread with the first question, not before", async () => {
    const chat = await startScriptedChat({ threads: [] }, {}, { hasLauncher: true });
    await chat.settle();
    expect(chat.calls).toEqual(["listThreads"]);
    expect(chat.store.get().threads.activeId).toBeUndefined();
    void chat.host.send("Вопрос");
    void chat.host.send("Ещё");
    await chat.settle();
    expect(asked(chat)).toEqual(["new1: Вопрос after nothing"]);
    expect(chat.calls.filter((call) => call === "createThread")).toHaveLength(1);
  });

  it("reject with the reason when they cannot be done", async () => {
    const chat = await startScriptedChat(two);
    const file = new File(["abc"], "a.exe", { type: "application/x-msdownload" });
    const { host } = chat;
    const outcomes = Promise.allSettled([
      host.selectThread("nowhere"),
      host.send("  "),
      host.send("Вопрос", { threadId: "nowhere" }),
      host.send("Вопрос", { files: [file] }),
      host.stop(),
    ]);
    await chat.settle();
    expect(
      (await outcomes).map((outcome) => (outcome.status === "rejected" ? String(outcome.reason) : "done")),
    ).toEqual([
      'Error: Nitka: there is no thread "nowhere" of this visitor.',
      "TypeError: Nitka: send needs a text.",
      'Error: Nitka: there is no thread "nowhere" of this visitor.',
      'Error: Nitka: the project refuses the file "a.exe" (attachment_type).',
      "done",
    ]);
    expect(chat.runs).toEqual([]);
  });

  it("reject a question that the backend does not confirm, with the reason", async () => {
    const error = new HttpError("Upstream 422: нет", { status: 422 });
    const chat = await startScriptedChat({
      before: (call) => {
        if (call === "startRun") throw error;
      },
    });
    const sent = chat.host.send("Вопрос");
    const failed = sent.catch((reason: unknown) => reason);
    await chat.settle();
    expect(await failed).toBe(error);
  });

  it("set the draft of the thread that is open at their turn", async () => {
    const chat = await startScriptedChat(two);
    void chat.host.setDraft("Один");
    void chat.host.selectThread("t2");
    void chat.host.setDraft("Два");
    await chat.settle();
    expect(chat.store.get().drafts).toMatchObject({ t1: { text: "Один" }, t2: { text: "Два" } });
  });
});

describe("a notice", () => {
  it("is shown beside the button of a closed launcher until it is opened", async () => {
    const chat = await startScriptedChat({}, {}, { hasLauncher: true });
    chat.actions.closePanel();
    await chat.host.notify("Мы на связи");
    expect(chat.store.get().notice).toEqual({ text: "Мы на связи" });
    chat.actions.dismissNotice();
    expect(chat.store.get().notice).toEqual({});
    await chat.host.open();
    expect(chat.store.get().notice).toBeUndefined();
    await chat.host.notify("Вы и так здесь");
    expect(chat.store.get().notice).toBeUndefined();
  });

  it("needs a text, and a launcher", async () => {
    const chat = await startScriptedChat();
    await expect(chat.host.notify("Мы на связи")).rejects.toThrow('Nitka: notify needs the layout "launcher".');
    await expect(chat.host.notify(" ")).rejects.toThrow("Nitka: notify needs a text.");
  });
});

it("eraseVisitor rejects where the backend does not offer it", async () => {
  const chat = await startScriptedChat();
  await expect(chat.host.eraseVisitor()).rejects.toThrow("Nitka: the backend cannot erase a visitor.");
});

it("eraseVisitor removes drafts, kept drafts and the outbox too", async () => {
  const forgetDrafts = vi.fn<() => void>();
  const chat = await startScriptedChat(
    {
      before(call) {
        if (call === "startRun") throw new HttpError("no network", { status: 0 });
      },
    },
    { features: { erase: true } },
    { forgetDrafts },
  );
  await chat.actions.sendText("t1", "Вопрос");
  await vi.advanceTimersByTimeAsync(60_000);
  chat.actions.setDraft("t1", "Недописанное");
  expect(chat.conversation().outbox).toHaveLength(1);
  await chat.host.eraseVisitor();
  const { drafts, conversations } = chat.store.get();
  expect([drafts, conversations]).toEqual([{}, {}]);
  expect(forgetDrafts).toHaveBeenCalledOnce();
});

it("eraseVisitor ends the visitor's runs and uploads, which send nothing more to the backend", async () => {
  const uploads: AbortSignal[] = [];
  const before = (call: string, _threadId: unknown, _file: unknown, given: unknown) => {
    if (call !== "uploadAttachment") return undefined;
    uploads.push((given as { readonly signal: AbortSignal }).signal);
    return new Promise<void>(() => undefined);
  };
  const features = { erase: true, resume: true, upload: true };
  const chat = await startScriptedChat({ ...two, before }, { features });
  await chat.actions.sendText("t2", "Первый");
  await chat.actions.sendText("t1", "Второй");
  await chat.settle();
  chat.runs[0]?.close();
  chat.actions.addFiles("t1", [new File(["abc"], "кот.png", { type: "image/png" })]);
  await chat.settle();
  const { length } = chat.calls;
  await chat.host.eraseVisitor();
  expect(chat.runs.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  expect([uploads.map(({ aborted }) => aborted), chat.released]).toEqual([[true], ["blob:кот.png"]]);
  chat.runs[1]?.emit([
    { type: "start", messageId: "a" },
    { type: "text-delta", id: "1", delta: "Да" },
  ]);
  await chat.settle();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([chat.store.get().conversations, chat.calls.slice(length)]).toEqual([{}, ["eraseVisitor"]]);
});

it("eraseVisitor that fails ends nothing, and the answer continues", async () => {
  const chat = await startScriptedChat({}, { features: { erase: true } });
  chat.backend.before = (call) => {
    if (call === "eraseVisitor") throw new HttpError("HTTP 503 : ", { status: 503 });
  };
  await chat.actions.sendText("t1", "Вопрос");
  await chat.settle();
  await expect(chat.host.eraseVisitor()).rejects.toThrow("HTTP 503");
  await chat.say({ type: "start", messageId: "a" }, { type: "text-delta", id: "1", delta: "Да" }, { type: "finish" });
  expect(chat.shown()).toEqual(["user: Вопрос", "assistant: Да [complete]"]);
});

describe("a thread whose messages could not be loaded", () => {
  const broken = (call: string) => {
    if (call === "listMessages") throw new HttpError("HTTP 503 : ", { status: 503 });
  };

  it("accepts no question: the draft keeps the reason, and loading can be retried", async () => {
    const chat = await startScriptedChat({ before: broken });
    await chat.actions.sendText("t1", "Вопрос");
    await chat.settle();
    expect(chat.runs).toEqual([]);
    expect(conversationOf(chat.store.get(), "t1")).toMatchObject({
      load: { status: "failed", failure: { kind: "http" } },
    });
    expect(chat.store.get().drafts["t1"]).toMatchObject({ text: "Вопрос", failure: { kind: "http" } });
  });

  it("rejects the host's question with the reason", async () => {
    const chat = await startScriptedChat({ before: broken });
    await expect(chat.host.send("Вопрос")).rejects.toThrow("could not be loaded: HTTP 503");
    expect(chat.runs).toEqual([]);
  });
});
