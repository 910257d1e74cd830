// @vitest-environment node
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { draftOf } from "../store/selectors.ts";
import { HttpError } from "../transport/http-error.ts";
import { noon, startScriptedChat } from "./scripted-chat.ts";

// The code for files normally loads when it is first needed. Loading it here makes the tests independent of that time.
beforeAll(() => Promise.all([import("./attachments.ts"), import("./host-commands.ts")]));
beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

const text = (name: string) => new File(["abc"], name, { type: "text/plain" });

/** A chat whose uploads continue until the test ends them, by file name. */
async function uploading(config: object = {}) {
  const uploads = new Map<string, PromiseWithResolvers<void>>();
  const chat = await startScriptedChat(
    {
      before(call, _, file) {
        if (call !== "uploadAttachment") return undefined;
        const upload = Promise.withResolvers<void>();
        uploads.set((file as File).name, upload);
        return upload.promise;
      },
    },
    { features: { upload: true, resume: true }, ...config },
  );
  const sent = () =>
    chat.runs.map(({ request }) => {
      const { content, attachments = [] } = request?.messages[0] ?? {};
      return [content, ...attachments.map(({ name, url }) => `${name} ${url.split(/[:/]/)[0]}`)];
    });
  const end = async (name: string) => {
    uploads.get(name)?.resolve();
    await chat.settle();
  };
  const draft = () => draftOf(chat.store.get(), "t1");
  return { chat, sent, end, draft };
}

describe("a draft that was sent and waits for its files", () => {
  it.each([
    ["a", "b"],
    ["b", "a"],
  ])("takes a file with it that is added meanwhile, once: %s is there first", async (first, second) => {
    const { chat, sent, end, draft } = await uploading();
    chat.actions.setDraft("t1", "Смотрите");
    chat.actions.addFiles("t1", [text("a")]);
    await chat.settle();
    void chat.actions.send("t1");
    await chat.settle();
    chat.actions.addFiles("t1", [text("b")]);
    await chat.settle();
    expect(draft().status).toBe("waiting");
    await end(first);
    expect(sent()).toEqual([]);
    await end(second);
    expect(sent()).toEqual([["Смотрите", "a api", "b api"]]);
    expect(draft()).toEqual({ text: "", attachments: [], status: "open" });
  });

  it("is not sent if a file that is added meanwhile is refused, and the visitor sees why", async () => {
    const { chat, sent, end, draft } = await uploading({ attachments: { accept: "text/plain" } });
    chat.actions.setDraft("t1", "Смотрите");
    chat.actions.addFiles("t1", [text("a")]);
    await chat.settle();
    void chat.actions.send("t1");
    await chat.settle();
    chat.actions.addFiles("t1", [new File(["abc"], "b.zip", { type: "application/zip" })]);
    await end("a");
    expect(sent()).toEqual([]);
    expect(draft()).toMatchObject({ text: "Смотрите", status: "failed", failure: { kind: "attachment_type" } });
    void chat.actions.send("t1");
    await chat.settle();
    expect(sent()).toEqual([["Смотрите", "a api"]]);
  });

  it("goes without a file that is removed meanwhile", async () => {
    const { chat, sent, end, draft } = await uploading();
    chat.actions.setDraft("t1", "Смотрите");
    chat.actions.addFiles("t1", [text("a"), text("b")]);
    await chat.settle();
    void chat.actions.send("t1");
    await end("a");
    chat.actions.removeAttachment("t1", draft().attachments.at(-1)?.id ?? "");
    await end("b");
    expect(sent()).toEqual([["Смотрите", "a api"]]);
  });
});

describe("a draft that is sent without a thread", () => {
  const launcher = (script = {}) => startScriptedChat({ threads: [], ...script }, {}, { hasLauncher: true });

  it("goes into the thread that is made for it, once", async () => {
    const made = Promise.withResolvers<void>();
    const chat = await launcher({ before: (call: string) => (call === "createThread" ? made.promise : undefined) });
    chat.actions.setDraft(undefined, "Привет");
    void chat.actions.send(undefined);
    void chat.actions.send(undefined);
    made.resolve();
    await chat.settle();
    expect(chat.calls.filter((call) => call === "createThread")).toHaveLength(1);
    expect(chat.shown()).toEqual(["user: Привет", "assistant:  [running]"]);
    expect(chat.store.get()).toMatchObject({ drafts: {} });
    expect(chat.store.get().draftWithoutThread).toBeUndefined();
  });

  it.each([
    ["goes out once the list is there", undefined, "", ["user: Привет", "assistant:  [running]"]],
    ["stays in the composer when it is changed meanwhile", "Привет!", "Привет!", []],
  ])("before the list is there: %s", async (_, changed, draft, shown) => {
    const list = Promise.withResolvers<void>();
    const before = (call: string) => (call === "listThreads" ? list.promise : undefined);
    const starting = startScriptedChat(
      { before },
      {},
      {},
      {
        early(actions) {
          actions.setDraft(undefined, "Привет");
          void actions.send(undefined);
          if (changed !== undefined) actions.setDraft(undefined, changed);
          list.resolve();
        },
      },
    );
    const chat = await starting;
    await chat.settle();
    expect({ draft: draftOf(chat.store.get(), "t1").text, shown: chat.shown() }).toEqual({ draft, shown });
  });

  it("can be sent again if no thread can be made", async () => {
    let isBroken = true;
    const chat = await launcher({
      before(call: string) {
        if (call === "createThread" && isBroken) throw new Error("no");
      },
    });
    chat.actions.setDraft(undefined, "Привет");
    await chat.actions.send(undefined);
    expect(chat.store.get().draftWithoutThread).toEqual({ text: "Привет", attachments: [], status: "open" });
    isBroken = false;
    await chat.actions.send(undefined);
    await chat.settle();
    expect(chat.shown()).toEqual(["user: Привет", "assistant:  [running]"]);
  });
});

describe("an open editor keeps its text when a run begins", () => {
  const begun = async () => {
    const chat = await startScriptedChat({}, { features: { resume: true } });
    await chat.actions.sendText("t1", "Раз");
    await chat.settle();
    await chat.say({ type: "start", messageId: "m1" }, { type: "finish" });
    chat.actions.beginEdit("t1", "id1");
    chat.actions.setEditDraft("t1", "Три строки");
    return chat;
  };
  it.each([
    ["a suggestion", (chat) => chat.actions.sendText("t1", "Дальше?")],
    ["the host", (chat) => chat.actions.host().then((host) => void host.send("Дальше?"))],
    ["the composer", (chat) => (chat.actions.setDraft("t1", "Дальше?"), chat.actions.send("t1"))],
    ["another answer", (chat) => chat.actions.regenerate("t1", "m1")],
  ] as const satisfies [string, (chat: Awaited<ReturnType<typeof begun>>) => unknown][])("by %s", async (_, begin) => {
    const chat = await begun();
    await begin(chat);
    await chat.settle();
    expect(chat.conversation()).toMatchObject({
      run: { phase: "streaming" },
      edit: { messageId: "id1", text: "Три строки" },
    });
    await chat.say({ type: "start", messageId: "m2" }, { type: "finish" });
    void chat.actions.submitEdit("t1");
    await chat.settle();
    expect(chat.conversation().edit).toBeUndefined();
    expect(chat.last().request?.messages[0].content).toBe("Три строки");
  });
});

it("a file whose upload failed without a network is uploaded again when the network is back; a refused one is not", async () => {
  let isBroken = true;
  const chat = await startScriptedChat(
    {
      before(call, _, file) {
        if (call !== "uploadAttachment" || !isBroken) return;
        throw new HttpError("no", { status: (file as File).name === "big" ? 413 : 0 });
      },
    },
    { features: { upload: true } },
  );
  chat.actions.addFiles("t1", [text("a"), text("big")]);
  await chat.settle();
  isBroken = false;
  chat.actions.reconnect();
  await chat.settle();
  expect(draftOf(chat.store.get(), "t1").attachments.map(({ status }) => status)).toEqual(["uploaded", "failed"]);
});
