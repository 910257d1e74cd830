import type { Attachment, Message } from "@nitka/protocol";
import { describe, expect, it } from "vitest";
import { addAttachments, changeDraft, setText } from "../store/composer.ts";
import { createStore } from "../store/create-store.ts";
import { initialState } from "../store/initial-state.ts";
import {
  addRun,
  addToOutbox,
  changeConversation,
  endRun,
  removeFromOutbox,
  setMessages,
  setPhase,
  writeAnswer,
} from "../store/conversation.ts";
import { draftOf } from "../store/selectors.ts";
import type { Conversation, DraftAttachment, RunState } from "../store/state.ts";
import { activateThread } from "../store/threads.ts";
import { subjectOf } from "../transport/one-visitor.ts";
import { persistDrafts } from "./persist-drafts.ts";

const uploaded: Attachment = {
  id: "a1",
  type: "image",
  name: "кот.png",
  contentType: "image/png",
  size: 3,
  url: "api/debug/attachments/a1",
};
const file: DraftAttachment = {
  id: "a1",
  file: new File([], "кот.png", { type: "image/png" }),
  type: "image",
  status: "uploaded",
  attachment: uploaded,
};
const coming: DraftAttachment = {
  id: "a2",
  file: new File([], "пёс.png"),
  type: "image",
  status: "uploading",
  progress: 0.5,
};

/** A page of one tab. `kept` is the tab's session storage, which the next page reads. */
function openPage(kept: Map<string, string>) {
  const store = createStore(
    initialState({ config: {}, sidebarOpen: true, compact: false, panelOpen: true }),
    (callback) => callback(0),
  );
  const storage = {
    read: (key: string) => kept.get(key),
    write: (key: string, value: string) => void kept.set(key, value),
    remove: (key: string) => void kept.delete(key),
  };
  const stop = persistDrafts({ store, storage, prefix: "p:", pictureOf: async ({ url }) => `/shown/${url}` });
  const change = (how: (conversation: Conversation) => Conversation) =>
    store.set((state) => changeConversation(state, "t1", how));
  const answer: Message = { id: "a", role: "assistant", content: [] };
  return {
    stop,
    ask: (question: Message, phase: RunState["phase"] = "rejoining") =>
      change((conversation) => addToOutbox(addRun(conversation, { question, answer, phase }), question.id)),
    wait: () => change((conversation) => setPhase(conversation, "rejoining")),
    fail: () => change((conversation) => endRun(conversation, answer)),
    grow: (text: string) =>
      change((conversation) => writeAnswer(conversation, { ...answer, content: text }, undefined)),
    hear: (questionId: string) => change((conversation) => removeFromOutbox(conversation, questionId)),
    load: (...messages: readonly Message[]) => change((conversation) => setMessages(conversation, messages)),
    draft: (threadId: string) => draftOf(store.get(), threadId),
    open: (threadId: string) => store.set((state) => activateThread(state, threadId)),
    write: (threadId: string | undefined, text: string, files: readonly DraftAttachment[] = []) =>
      store.set((state) => changeDraft(state, threadId, (draft) => addAttachments(setText(draft, text), files))),
  };
}

describe("a draft", () => {
  it("is restored with its uploaded files when its thread is opened, and names those that were still uploading", async () => {
    const kept = new Map<string, string>();
    const page = openPage(kept);
    page.write("t1", "Что это?", [file, coming]);
    page.write("t2", "Другое");
    page.stop();
    const next = openPage(kept);
    expect(next.draft("t1").text).toBe("");
    next.open("t1");
    await new Promise((resolve) => setTimeout(resolve));
    expect(next.draft("t1")).toEqual({
      text: "Что это?",
      attachments: [{ ...file, file: expect.any(File), preview: "/shown/api/debug/attachments/a1" }],
      status: "failed",
      failure: { kind: "attachment", detail: "пёс.png" },
    });
    expect(next.draft("t2").text).toBe("");
  });

  it("leaves no entry once it is sent, and is stored again when it comes back", () => {
    const kept = new Map<string, string>();
    const page = openPage(kept);
    page.write("t1", "Привет");
    expect([...kept.keys()]).toEqual(["p:t1"]);
    page.write("t1", "");
    expect([...kept.keys()]).toEqual([]);
    page.write("t1", "Привет");
    expect([...kept.keys()]).toEqual(["p:t1"]);
  });

  it("that was written before there was a thread goes to the first open thread", () => {
    const kept = new Map<string, string>();
    openPage(kept).write(undefined, "Рано");
    const page = openPage(kept);
    page.open("t1");
    expect(page.draft("t1").text).toBe("Рано");
    expect([...kept.keys()]).toEqual(["p:t1"]);
  });

  it("is put before a draft that was written meanwhile", () => {
    const kept = new Map<string, string>();
    openPage(kept).write("t1", "Раньше");
    const page = openPage(kept);
    page.write("t1", "Позже");
    page.open("t1");
    expect(page.draft("t1").text).toBe("Раньше\nПозже");
  });

  it.each(["", "{", "null", "[]", `{"text":1}`])("is empty if the entry is %j", (entry) => {
    const page = openPage(new Map([["p:t1", entry]]));
    page.open("t1");
    expect(page.draft("t1")).toEqual({ text: "", attachments: [], status: "open" });
  });
});

const question: Message = { id: "q1", role: "user", content: "Второй" };

describe("a question that the backend has not confirmed", () => {
  it.each(["waits", "fails"])("becomes the draft again when the loaded history does not have it: it %s", (outcome) => {
    const kept = new Map<string, string>();
    const page = openPage(kept);
    page.open("t1");
    page.ask(question);
    page.write("t1", "Третий");
    if (outcome === "fails") page.fail();
    page.stop();
    const next = openPage(kept);
    next.open("t1");
    expect(next.draft("t1").text).toBe("Третий");
    next.load({ id: "q0", role: "user", content: "Первый" });
    expect(next.draft("t1").text).toBe("Второй\nТретий");
    next.stop();
    const last = openPage(kept);
    last.open("t1");
    last.load();
    expect(last.draft("t1").text).toBe("Второй\nТретий");
  });

  it("is put before a draft that was written meanwhile", () => {
    const kept = new Map<string, string>();
    const page = openPage(kept);
    page.ask(question);
    page.stop();
    const next = openPage(kept);
    next.write("t1", "Третий");
    next.open("t1");
    expect(next.draft("t1").text).toBe("Третий");
    next.load();
    expect(next.draft("t1").text).toBe("Второй\nТретий");
  });

  it("does not become a draft if the history has it after all", () => {
    const kept = new Map<string, string>();
    const page = openPage(kept);
    page.ask(question);
    page.stop();
    const next = openPage(kept);
    next.open("t1");
    next.load(question);
    expect([next.draft("t1").text, ...kept.keys()]).toEqual([""]);
  });

  it("stays in its entry until the history is loaded, over any number of pages", () => {
    const kept = new Map<string, string>();
    const page = openPage(kept);
    page.ask(question);
    page.stop();
    const before = [...kept];
    for (const next of [openPage(kept), openPage(kept)]) {
      next.open("t1");
      next.stop();
      expect([...kept]).toEqual(before);
    }
  });

  it("is not stored while its request is under way, nor once it is confirmed", () => {
    const kept = new Map<string, string>();
    const page = openPage(kept);
    page.ask(question, "sending");
    expect(kept.size).toBe(0);
    page.wait();
    expect(kept.size).toBe(1);
    page.hear("q1");
    expect(kept.size).toBe(0);
  });

  it("is restored with its uploaded files, and names those that it carried itself", async () => {
    const kept = new Map<string, string>();
    const carried: Attachment = { ...uploaded, id: "a2", name: "пёс.png", url: "data:image/png;base64,AAAA" };
    const page = openPage(kept);
    page.ask({ ...question, attachments: [uploaded, carried] });
    page.stop();
    expect([...kept.values()].join()).not.toContain("AAAA");
    const next = openPage(kept);
    next.open("t1");
    next.load();
    await new Promise((resolve) => setTimeout(resolve));
    expect(next.draft("t1")).toEqual({
      text: "Второй",
      attachments: [{ ...file, file: expect.any(File), preview: "/shown/api/debug/attachments/a1" }],
      status: "failed",
      failure: { kind: "attachment", detail: "пёс.png" },
    });
  });

  it("is left out if its entry has the wrong shape", () => {
    const entry = JSON.stringify({ text: "Да", attachments: [], lost: [], asked: [null, 1, { id: 2 }, { id: "q" }] });
    const page = openPage(new Map([["p:t1", entry]]));
    page.open("t1");
    page.load();
    expect(page.draft("t1").text).toBe("Да");
  });
});

it("a write of an answer costs no look at the drafts that are kept", () => {
  const kept = new Map<string, string>();
  const page = openPage(kept);
  let reads = 0;
  for (let index = 0; index < 50; index += 1) page.write(`d${index}`, "Черновик");
  const attachment = new Proxy(file, {
    get: (target, name) => {
      reads += 1;
      return Reflect.get(target, name) as unknown;
    },
  });
  page.write("t1", "Ещё", [attachment]);
  page.ask({ id: "q9", role: "user", content: "Вопрос" });
  reads = 0;
  for (let index = 0; index < 20; index += 1) page.grow(`Ответ ${index}`);
  expect(reads).toBe(0);
  page.hear("q9");
  expect(reads).toBeGreaterThan(0);
});

describe("what is written before a thread is open", () => {
  it("goes behind the draft that is kept of the thread that opens", () => {
    const kept = new Map<string, string>();
    const page = openPage(kept);
    page.open("t1");
    page.write("t1", "Старый черновик");
    page.stop();
    for (const texts of [["новое"], ["нов", "новое"]]) {
      const next = openPage(new Map(kept));
      for (const text of texts) next.write(undefined, text);
      next.open("t1");
      expect(next.draft("t1").text).toBe("Старый черновик\nновое");
      next.open("t2");
      expect(next.draft("t2").text).toBe("");
    }
  });

  it("is in the thread's entry alone once the thread is open", () => {
    const kept = new Map<string, string>();
    const page = openPage(kept);
    page.write(undefined, "Раз");
    expect([...kept.keys()]).toEqual(["p:"]);
    page.open("t1");
    expect([...kept]).toEqual([["p:t1", JSON.stringify({ text: "Раз", attachments: [], lost: [] })]]);
  });
});

describe("the subject of a token", () => {
  const tokenOf = (claims: unknown) => `e30.${btoa(JSON.stringify(claims)).replaceAll("=", "")}.sig`;

  it("is the claim `sub` of a JWT, and unknown for any other token", () => {
    expect([tokenOf({ sub: "anna" }), tokenOf({}), "opaque", ""].map(subjectOf)).toEqual([
      "anna",
      undefined,
      undefined,
      undefined,
    ]);
  });
});
