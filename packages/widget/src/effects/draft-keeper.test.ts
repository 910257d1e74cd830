import type { Attachment } from "@nitka/protocol";
import { describe, expect, it } from "vitest";
import { addAttachments, changeDraft, setText } from "../store/composer.ts";
import { createStore } from "../store/create-store.ts";
import { initialState } from "../store/initial-state.ts";
import { draftOf } from "../store/selectors.ts";
import type { DraftAttachment } from "../store/state.ts";
import { activateThread } from "../store/threads.ts";
import { startDraftKeeper, visitorIn } from "./draft-keeper.ts";

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
  status: "ready",
  progress: 1,
  uploaded,
};
const { uploaded: _, ...unsent } = file;
const coming: DraftAttachment = { ...unsent, id: "a2", file: new File([], "пёс.png"), status: "uploading" };

/** A page of one tab: what an earlier one has kept stays in `kept`. */
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
  const stop = startDraftKeeper({ store, storage, prefix: "p:", pictureOf: async ({ url }) => `/shown/${url}` });
  return {
    stop,
    draft: (threadId: string) => draftOf(store.get(), threadId),
    open: (threadId: string) => store.set((state) => activateThread(state, threadId)),
    write: (threadId: string, text: string, files: readonly DraftAttachment[] = []) =>
      store.set((state) => changeDraft(state, threadId, (draft) => addAttachments(setText(draft, text), files))),
  };
}

describe("a draft", () => {
  it("comes back with its uploaded files when its thread is opened, and names those that were on their way", async () => {
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
      failure: { kind: "attachment", detail: "пёс.png" },
    });
    expect(next.draft("t2").text).toBe("");
  });

  it("leaves no entry once it is sent, and is kept again when it is taken back", () => {
    const kept = new Map<string, string>();
    const page = openPage(kept);
    page.write("t1", "Привет");
    expect([...kept.keys()]).toEqual(["p:t1"]);
    page.write("t1", "");
    expect([...kept.keys()]).toEqual([]);
    page.write("t1", "Привет");
    expect([...kept.keys()]).toEqual(["p:t1"]);
  });

  it("that was written before there was a thread goes to the first that is open", () => {
    const kept = new Map<string, string>();
    openPage(kept).write("", "Рано");
    const page = openPage(kept);
    page.open("t1");
    expect(page.draft("t1").text).toBe("Рано");
    expect([...kept.keys()]).toEqual(["p:t1"]);
  });

  it("stands before what has been written meanwhile", () => {
    const kept = new Map<string, string>();
    openPage(kept).write("t1", "Раньше");
    const page = openPage(kept);
    page.write("t1", "Позже");
    page.open("t1");
    expect(page.draft("t1").text).toBe("Раньше\nПозже");
  });

  it.each(["", "{", "null", "[]", `{"text":1}`])("is nothing where the entry is %j", (entry) => {
    const page = openPage(new Map([["p:t1", entry]]));
    page.open("t1");
    expect(page.draft("t1")).toEqual({ text: "", attachments: [] });
  });
});

describe("whom a token names", () => {
  const tokenOf = (claims: unknown) => `e30.${btoa(JSON.stringify(claims)).replaceAll("=", "")}.sig`;

  it("is the subject of a JWT, and nobody whom we know otherwise", () => {
    expect([tokenOf({ sub: "anna" }), tokenOf({}), "opaque", ""].map(visitorIn)).toEqual([
      "anna",
      undefined,
      undefined,
      undefined,
    ]);
  });
});
