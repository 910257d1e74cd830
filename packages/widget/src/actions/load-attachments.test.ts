// @vitest-environment node
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { noon, startScriptedChat } from "./scripted-chat.ts";

vi.mock("./attachments.ts", () => {
  throw new Error("no network");
});

beforeAll(() => import("./host-commands.ts"));
beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

describe("code for files that cannot be loaded", () => {
  const file = new File(["abc"], "кот.png", { type: "image/png" });

  it("rejects the host's question with files, and no other", async () => {
    const chat = await startScriptedChat();
    const host = await chat.actions.host();
    await expect(host.send("Кто это?", { files: [file] })).rejects.toBeInstanceOf(Error);
    void host.send("А без файла?");
    await chat.settle();
    expect(chat.shown()).toEqual(["user: А без файла?", "assistant:  [running]"]);
  });

  it("leaves the visitor's question in the composer, with the reason", async () => {
    const chat = await startScriptedChat();
    chat.actions.addFiles("t1", [file]);
    await chat.actions.sendText("t1", "Кто это?");
    await chat.settle();
    expect(chat.runs).toEqual([]);
    expect(chat.store.get().drafts["t1"]).toMatchObject({
      text: "Кто это?",
      status: "failed",
      failure: { kind: "http" },
    });
  });
});
