import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StreamEvent } from "@nitka/protocol";
import { eventsOf } from "../contract/server.contract.ts";
import { finish, threadOpener } from "../contract/thread.contract.ts";
import type { FileStore } from "../storage/files/file-store.ts";
import { bytesOf } from "../storage/files/pieces.contract.ts";
import { openSqliteStorage } from "../storage/sqlite.ts";
import { eventually } from "../test-waits/eventually.contract.ts";

/** A store whose calls wait while it is held, until it is released. */
function createHeldStore() {
  const files = new Map<string, Uint8Array>();
  const held: (() => void)[] = [];
  const state = { holds: false };
  const turn = () => new Promise<void>((resolve) => (state.holds ? held.push(resolve) : resolve()));
  const store: FileStore = {
    name: "s3",
    heldBytes: 0,
    write: async (fileId, pieces) => {
      await turn();
      files.set(fileId, await bytesOf(pieces));
    },
    read: async function* (fileId, { start, end }) {
      await turn();
      yield (files.get(fileId) ?? new Uint8Array()).slice(start, end);
    },
    delete: async (fileId) => void files.delete(fileId),
  };
  return {
    store,
    held,
    hold: () => {
      state.holds = true;
    },
    letGo: () => {
      state.holds = false;
      for (const go of held.splice(0)) go();
    },
  };
}

describe("while the store of files is slow", () => {
  const { openHeld } = threadOpener();
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "performance"] });
  });
  const closes: (() => Promise<void>)[] = [];
  afterEach(async () => {
    vi.useRealTimers();
    for (const close of closes.splice(0)) await close();
  });

  async function openSlow() {
    const files = createHeldStore();
    const storage = await openSqliteStorage({ path: ":memory:", files: files.store });
    const project = { config: { attachments: { accept: "*/*" } }, limits: { upstreamIdleMs: 60_000 } };
    const opened = await openHeld(undefined, { storage, project });
    closes.push(
      () => opened.server.close(),
      () => storage.close(),
    );
    const content = [{ type: "file", mimeType: "text/plain", filename: "a.txt", data: btoa("Hello") }] as const;
    const body = { messages: [{ id: "q1", role: "user", content }] };
    const stream = await opened.client.post(`threads/${opened.threadId}/run/stream`, body);
    await opened.model.asked(1);
    const [request] = opened.model.requests;
    if (!request) throw new Error("The model was asked");
    const [attachment] = request.attachments?.values() ?? [];
    if (!attachment) throw new Error("The question has a file");
    const read = () => request.readAttachment(attachment);
    return { ...opened, files, stream, request, read };
  }

  it("the model is not silent: it waits for its file, and has its full time after that", async () => {
    const { files, stream, request, model, read } = await openSlow();
    files.hold();
    const reading = Promise.all([read(), read()]);
    await eventually(() => expect(files.held).toHaveLength(2));
    vi.advanceTimersByTime(540_000);
    expect(request.signal.aborted).toBe(false);
    files.letGo();
    expect((await reading).map((bytes) => Buffer.from(bytes).toString())).toEqual(["Hello", "Hello"]);
    vi.advanceTimersByTime(59_000);
    expect(request.signal.aborted).toBe(false);
    finish(model);
    expect(await eventsOf(stream)).toContainEqual(expect.objectContaining({ type: "finish" }));
  });

  it("a model that says nothing after it has its file is silent", async () => {
    const { files, stream, request, read } = await openSlow();
    files.hold();
    const reading = read();
    await eventually(() => expect(files.held).toHaveLength(1));
    vi.advanceTimersByTime(120_000);
    files.letGo();
    await reading;
    vi.advanceTimersByTime(62_000);
    expect(request.signal.aborted).toBe(true);
    expect(await eventsOf(stream)).toContainEqual(expect.objectContaining({ type: "data-error" }));
  });

  it("a file that the model makes is stored, however long that takes, and the answer continues", async () => {
    const { files, stream, request, model } = await openSlow();
    files.hold();
    const file: StreamEvent = { type: "file", mediaType: "text/plain", url: `data:text/plain;base64,${btoa("Made")}` };
    model.say(file);
    await eventually(() => expect(files.held).toHaveLength(1));
    vi.advanceTimersByTime(540_000);
    expect(request.signal.aborted).toBe(false);
    files.letGo();
    finish(model);
    const events = await eventsOf(stream);
    for (const type of ["file", "finish"]) expect(events).toContainEqual(expect.objectContaining({ type }));
  });

  it("a store that never answers blocks a run for ten minutes, and not for ever", async () => {
    const { files, stream, request, read } = await openSlow();
    files.hold();
    const reading = read();
    await eventually(() => expect(files.held).toHaveLength(1));
    vi.advanceTimersByTime(602_000);
    expect(request.signal.aborted).toBe(true);
    expect(await eventsOf(stream)).toContainEqual(expect.objectContaining({ type: "data-error" }));
    files.letGo();
    await reading;
  });
});
