// @vitest-environment node
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { HttpError } from "../transport/http-error.ts";
import { noon, startScriptedChat } from "./scripted-chat.ts";

// The code for files normally loads when it is first needed. Loading it here makes the tests independent of that time.
beforeAll(() => Promise.all([import("./attachments.ts"), import("./host-commands.ts")]));
beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

const picture = () => new File(["abc"], "кот.png", { type: "image/png" });
const upload = { features: { upload: true } };
type Chat = Awaited<ReturnType<typeof startScriptedChat>>;
const draft = (chat: Chat) => chat.store.get().drafts["t1"];

describe("drafts", () => {
  it("are separate for each thread", async () => {
    const chat = await startScriptedChat();
    chat.actions.setDraft("t1", "Один");
    chat.actions.setDraft("t2", "Два");
    expect(chat.store.get().drafts).toEqual({
      t1: { text: "Один", attachments: [], status: "open" },
      t2: { text: "Два", attachments: [], status: "open" },
    });
    chat.actions.setDraft("t1", "");
    expect(chat.store.get().drafts).toEqual({ t2: { text: "Два", attachments: [], status: "open" } });
  });

  it("are replaced by a text that is sent at once", async () => {
    const chat = await startScriptedChat();
    chat.actions.setDraft("t1", "Начало");
    await chat.actions.sendText("t1", "Какая погода?");
    expect(draft(chat)).toBeUndefined();
    expect(chat.shown()[0]).toBe("user: Какая погода?");
  });

  it("go to the open thread when the view does not know yet that one is open", async () => {
    const chat = await startScriptedChat();
    chat.actions.setDraft(undefined, "Начало");
    expect([chat.store.get().draftWithoutThread, draft(chat)?.text]).toEqual([undefined, "Начало"]);
    await chat.actions.sendText(undefined, "Какая погода?");
    expect([chat.shown()[0], draft(chat)]).toEqual(["user: Какая погода?", undefined]);
  });

  it("stay when the host sends a text, which waits until the run ends", async () => {
    const chat = await startScriptedChat();
    await chat.actions.sendText("t1", "Первый");
    await chat.settle();
    chat.actions.setDraft("t1", "Черновик");
    void chat.actions.host().then((host) => host.send("Второй"));
    await chat.settle();
    expect(chat.runs).toHaveLength(1);
    await chat.say({ type: "finish" });
    expect(chat.runs).toHaveLength(2);
    expect(chat.shown()).toEqual(["user: Первый", "assistant:  [complete]", "user: Второй", "assistant:  [running]"]);
    expect(draft(chat)?.text).toBe("Черновик");
  });

  it("wait for the thread's messages when they are sent early, and follow the last one", async () => {
    const gate = Promise.withResolvers<void>();
    const chat = await startScriptedChat({
      messages: { t2: [{ id: "m", role: "assistant", content: "Слушаю", parentId: null }] },
      threads: [
        { threadId: "t1", updatedAt: noon.toISOString() },
        { threadId: "t2", updatedAt: new Date(0).toISOString() },
      ],
      before: (call, id) => (call === "listMessages" && id === "t2" ? gate.promise : undefined),
    });
    void chat.actions.selectThread("t2");
    await chat.settle();
    void chat.actions.sendText("t2", "Привет");
    await chat.settle();
    expect(chat.store.get().drafts["t2"]).toMatchObject({ text: "Привет", status: "waiting" });
    gate.resolve();
    await chat.settle();
    expect(chat.last().request?.messages[0].parentId).toBe("m");
    expect(chat.store.get().drafts).toEqual({});
  });
});

describe("files", () => {
  it("are shown in the composer, and sent as data URLs to a plain backend", async () => {
    const chat = await startScriptedChat();
    chat.actions.addFiles("t1", [picture()]);
    await chat.settle();
    expect(draft(chat)?.attachments).toMatchObject([{ type: "image", status: "local", preview: "blob:кот.png" }]);
    await chat.actions.sendText("t1", "Кто это?");
    await chat.settle();
    expect(chat.last().request?.messages[0].attachments).toEqual([
      {
        id: "id1",
        type: "image",
        name: "кот.png",
        contentType: "image/png",
        size: 3,
        url: "data:image/png;base64,кот.png",
      },
    ]);
    expect(chat.released).toEqual(["blob:кот.png"]);
  });

  it("are uploaded as soon as they are added, where the backend takes uploads", async () => {
    const gate = Promise.withResolvers<void>();
    const chat = await startScriptedChat(
      { before: (call) => (call === "uploadAttachment" ? gate.promise : undefined) },
      upload,
    );
    chat.actions.addFiles("t1", [picture()]);
    await chat.settle();
    expect(draft(chat)?.attachments).toMatchObject([{ status: "uploading" }]);
    gate.resolve();
    await chat.settle();
    expect(draft(chat)?.attachments).toMatchObject([{ status: "uploaded", attachment: { name: "кот.png" } }]);
    await chat.actions.sendText("t1", "Кто это?");
    await chat.settle();
    expect(chat.last().request?.messages[0].attachments).toMatchObject([{ url: "api/debug/attachments/new1" }]);
  });

  it("delay the question until they are uploaded, and it is sent once", async () => {
    const gate = Promise.withResolvers<void>();
    const chat = await startScriptedChat(
      { before: (call) => (call === "uploadAttachment" ? gate.promise : undefined) },
      upload,
    );
    chat.actions.addFiles("t1", [picture()]);
    await chat.settle();
    chat.actions.setDraft("t1", "Кто это?");
    void chat.actions.send("t1");
    void chat.actions.send("t1");
    await chat.settle();
    expect(draft(chat)?.status).toBe("waiting");
    expect(chat.runs).toHaveLength(0);
    gate.resolve();
    await chat.settle();
    expect(chat.runs).toHaveLength(1);
    expect(draft(chat)).toBeUndefined();
  });

  it("are sent with a question that follows at once, while their code still loads", async () => {
    const chat = await startScriptedChat();
    chat.actions.addFiles("t1", [picture()]);
    void chat.actions.sendText("t1", "Кто это?");
    await chat.settle();
    expect(chat.last().request?.messages[0].attachments).toMatchObject([{ name: "кот.png" }]);
  });

  it("are uploaded again when sending after a failure, and nothing is lost if that fails too", async () => {
    let broken = true;
    const chat = await startScriptedChat(
      {
        before: (call) => {
          if (call === "uploadAttachment" && broken) throw new HttpError("HTTP 500 : ", { status: 500 });
        },
      },
      upload,
    );
    chat.actions.addFiles("t1", [picture()]);
    await chat.settle();
    expect(draft(chat)?.attachments).toMatchObject([{ status: "failed", failure: { kind: "http" } }]);
    await chat.actions.sendText("t1", "Кто это?");
    expect(draft(chat)).toMatchObject({
      text: "Кто это?",
      attachments: [{ status: "failed" }],
      failure: { kind: "attachment", detail: "кот.png" },
    });
    broken = false;
    await chat.actions.send("t1");
    await chat.settle();
    expect(chat.runs).toHaveLength(1);
  });

  it("release their blob URLs when they are removed", async () => {
    const chat = await startScriptedChat();
    chat.actions.addFiles("t1", [picture()]);
    await chat.settle();
    chat.actions.removeAttachment("t1", "id1");
    expect(draft(chat)).toBeUndefined();
    expect(chat.released).toEqual(["blob:кот.png"]);
  });

  it.each([
    ["the backend has confirmed", 0],
    ["has failed, and is repeated", 1],
    ["has failed", Number.POSITIVE_INFINITY],
  ])("release their blob URLs, each once, with a question that %s", async (_, failures) => {
    let left = failures;
    const chat = await startScriptedChat({
      before(call) {
        if (call === "startRun" && (left -= 1) >= 0) throw new HttpError("HTTP 422 : ", { status: 422 });
      },
    });
    chat.actions.addFiles("t1", [picture(), picture()]);
    await chat.actions.sendText("t1", "Кто это?");
    await chat.settle();
    const [question] = chat.conversation().messages;
    await chat.actions.retry("t1", question?.id ?? "");
    await chat.settle();
    expect(chat.released).toEqual(["blob:кот.png", "blob:кот.png"]);
  });

  it("keep their blob URLs in a question that returns to the composer", async () => {
    const chat = await startScriptedChat(
      {
        before(call) {
          if (call === "startRun") throw new HttpError("HTTP 409 : ", { status: 409, code: "run_in_progress" });
        },
      },
      { features: { resume: true } },
    );
    chat.actions.addFiles("t1", [picture()]);
    await chat.actions.sendText("t1", "Кто это?");
    await chat.settle();
    expect([draft(chat)?.attachments.map(({ preview }) => preview), chat.released]).toEqual([["blob:кот.png"], []]);
  });

  const limits = { accept: "image/*,.txt", maxBytes: 3, maxCount: 2 };
  it.each([
    ["attachment_type", new File(["a"], "a.exe", { type: "application/x-msdownload" })],
    ["attachment_size", new File(["abcd"], "a.png", { type: "image/png" })],
  ])("are refused by name when they break a rule (%s)", async (kind, file) => {
    const chat = await startScriptedChat({}, { attachments: limits });
    chat.actions.addFiles("t1", [file]);
    await chat.settle();
    expect(draft(chat)).toEqual({
      text: "",
      attachments: [],
      status: "failed",
      failure: { kind, detail: file.name },
    });
    chat.actions.setDraft("t1", "Ладно");
    expect(draft(chat)).toEqual({ text: "Ладно", attachments: [], status: "open" });
  });

  it("are accepted up to the limit, and the others refused", async () => {
    const chat = await startScriptedChat({}, { attachments: limits });
    chat.actions.addFiles("t1", [picture(), picture(), new File(["a"], "третий.txt")]);
    await chat.settle();
    expect(draft(chat)).toMatchObject({
      attachments: [{ type: "image" }, { type: "image" }],
      failure: { kind: "attachment_count", detail: "третий.txt" },
    });
  });

  it("get their type from the name when the browser has none", async () => {
    const chat = await startScriptedChat();
    chat.actions.addFiles("t1", [new File(["# Привет"], "заметки.md")]);
    await chat.settle();
    expect(draft(chat)?.attachments[0]?.file.type).toBe("text/plain");
    expect(draft(chat)?.attachments[0]?.type).toBe("document");
  });

  it("are refused by a project that takes none", async () => {
    const chat = await startScriptedChat({}, { attachments: false });
    chat.actions.addFiles("t1", [picture()]);
    await chat.settle();
    expect(draft(chat)).toMatchObject({ attachments: [], failure: { kind: "attachment" } });
  });
});
