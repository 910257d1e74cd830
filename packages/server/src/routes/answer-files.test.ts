import { describe, expect, it } from "vitest";
import type { Message } from "@nitka/protocol";
import { fileUrlOf, partsOf } from "@nitka/protocol/message";
import { createHeldModel } from "../contract/held-model.contract.ts";
import { eventsOf, serverOpener, tap } from "../contract/server.contract.ts";
import type { OpenOptions } from "../contract/server.contract.ts";
import { openSqliteStorage } from "../storage/sqlite.ts";
import { FileRefusedError, StorageUnavailableError } from "../storage/storage.ts";
import type { Owner, Storage } from "../storage/storage.ts";
import type { FileStore } from "../storage/files/file-store.ts";
import { piecesOf } from "../storage/files/pieces.contract.ts";
import { allOf } from "../storage/contract/fixture.contract.ts";

const open = serverOpener();

const PNG = "\x89PNG\r\n\x1a\n…";
const base64 = Buffer.from(PNG, "latin1").toString("base64");
const png = { type: "file", url: `data:application/octet-stream;base64,${base64}`, mediaType: "" } as const;
const address = expect.stringMatching(/^api\/debug\/attachments\/\w+$/) as string;

/** A question whose answer is being written. */
async function openAsked(options: OpenOptions = {}) {
  const model = createHeldModel();
  const opened = await open({ model, ...options });
  const client = await opened.visitor();
  const threadId = await client.newThread();
  const asked = await client.ask(threadId, { id: "q1" }, {}, "?cursor=1");
  await model.asked(1);
  const owner: Owner = { projectId: "default", visitorId: client.cookie?.split("=")[1]?.split(".")[0] ?? "" };
  return { ...opened, model, client, threadId, asked, owner };
}

function answerIn(messages: readonly Message[]): Message | undefined {
  return messages.find(({ role }) => role === "assistant");
}

describe("a file that a model makes", () => {
  it("is streamed, logged, replayed and listed with its address, which serves its bytes", async () => {
    const { model, client, storage, threadId, asked } = await openAsked();
    model.say(png, { ...png, mediaType: "image/png", filename: "Кот.png" });
    model.write("Вот");
    const joined = tap(await client.join(threadId));
    await expect.poll(joined.text).toContain("Вот");
    model.end();
    await joined.done;
    const live = await asked.text();
    const replayed = await (await client.ask(threadId, { id: "q1" })).text();
    const listed = await (await client.get(`threads/${threadId}/messages`)).text();
    const runId = /^id: (\w+):/m.exec(live)?.[1] ?? "";
    const logged = (await storage.events.read(runId, 0)).map(({ data }) => data).join("\n");
    for (const text of [live, joined.text(), replayed, listed, logged]) {
      expect(text).not.toContain("base64");
      expect(text.match(/api\/debug\/attachments\/\w+/g)?.length).toBe(2);
    }
    const parts = partsOf(answerIn(await client.messages(threadId)) ?? { content: [] });
    expect(parts.slice(0, 2)).toEqual([
      { type: "image", image: address },
      { type: "image", image: address },
    ]);
    const response = await client.get(`/${fileUrlOf(parts[1] ?? { type: "text", text: "" }) ?? ""}`);
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(response.headers.get("content-disposition")).toContain(encodeURIComponent("Кот.png"));
    expect(Buffer.from(await response.arrayBuffer()).toString("base64")).toBe(base64);
  });

  it("is deleted with its thread, and is not found by other visitors", async () => {
    const { visitor, model, client, storage, threadId, asked } = await openAsked();
    model.say(png);
    model.end();
    await asked.text();
    await allOf(storage.attachments.expire("2100-01-01T00:00:00.000Z"));
    const [part] = partsOf(answerIn(await client.messages(threadId)) ?? { content: [] });
    const path = `/${part ? (fileUrlOf(part) ?? "") : ""}`;
    const status = async (one: { get: (path: string) => Promise<Response> }) => (await one.get(path)).status;
    expect([await status(client), await status(await visitor())]).toEqual([200, 404]);
    await client.post(`threads/${threadId}/archive`, {});
    await allOf(storage.attachments.expireArchived("2100-01-01T00:00:00.000Z"));
    expect([await status(client), await allOf(storage.attachments.sweep("2100-01-01T00:00:00.000Z"))]).toEqual([
      404, 1,
    ]);
  });

  it("may be of a type that visitors cannot upload, and counts against the visitor's quota", async () => {
    const project = { config: { attachments: { accept: "text/*" } }, limits: { storageBytes: 15 } };
    const { model, client, threadId, asked, log } = await openAsked({ project });
    model.say(png, png);
    model.write("Вот");
    model.end();
    await asked.text();
    const answer = answerIn(await client.messages(threadId));
    expect(answer?.status).toEqual({ type: "complete" });
    expect(answer?.content).toEqual([
      { type: "image", image: address },
      { type: "text", text: expect.stringContaining("не сохранён") as string },
      { type: "text", text: "Вот" },
    ]);
    expect(log.filter(({ text }) => text === "a file of an answer was not kept").length).toBe(1);
  });

  it("is replaced by a sentence when its bytes are of another type, or are cut off", async () => {
    const { model, client, threadId, asked } = await openAsked();
    model.say({ ...png, url: "data:image/png;base64,SGk=", mediaType: "image/png" });
    model.say({ ...png, url: "data:image/png;base64,@@@@", mediaType: "image/png" }, png);
    model.end();
    await asked.text();
    const parts = partsOf(answerIn(await client.messages(threadId)) ?? { content: [] });
    expect(parts.map(({ type }) => type)).toEqual(["text", "text", "image"]);
  });

  it("keeps an address that is not a data URL", async () => {
    const { model, asked } = await openAsked();
    const elsewhere = { ...png, url: "https://cdn.example/a.png", mediaType: "image/png" };
    model.say(elsewhere);
    model.end();
    expect(await eventsOf(asked)).toContainEqual(elsewhere);
  });

  it("waits while the database is briefly unavailable", async () => {
    const storage = await openSqliteStorage({ path: ":memory:" });
    let refusals = 2;
    const reserve: Storage["attachments"]["reserve"] = async (...room) => {
      refusals -= 1;
      if (refusals >= 0) throw new StorageUnavailableError("away");
      return storage.attachments.reserve(...room);
    };
    const flaky: Storage = { ...storage, attachments: { ...storage.attachments, reserve } };
    const { model, client, threadId, asked, server } = await openAsked({ storage: flaky });
    model.say(png);
    model.end();
    await asked.text();
    expect(answerIn(await client.messages(threadId))?.content).toEqual([{ type: "image", image: address }]);
    await server.close();
    await storage.close();
  });

  it("is replaced by a sentence when the store refuses it, at the first attempt", async () => {
    let writes = 0;
    const refusing: FileStore = {
      name: "s3",
      heldBytes: 0,
      write: async () => {
        writes += 1;
        throw new FileRefusedError("403 (AccessDenied)");
      },
      read: () => piecesOf(new Uint8Array()),
      delete: () => Promise.resolve(),
    };
    const storage = await openSqliteStorage({ path: ":memory:", files: refusing });
    const { model, client, threadId, asked, server } = await openAsked({ storage });
    model.say(png);
    model.write("Вот");
    model.end();
    await asked.text();
    const answer = answerIn(await client.messages(threadId));
    expect(answer?.status).toEqual({ type: "complete" });
    expect(answer?.content).toEqual([
      { type: "text", text: expect.stringContaining("не сохранён") as string },
      { type: "text", text: "Вот" },
    ]);
    expect(writes).toBe(1);
    await server.close();
    await storage.close();
  });

  it("belongs to the visitor who has claimed the thread meanwhile", async () => {
    const { model, storage, asked, owner } = await openAsked();
    await storage.visitors.claim(owner, "named");
    model.say(png);
    model.end();
    const id = /attachments\/(\w+)/.exec(await asked.text())?.[1] ?? "";
    expect(await storage.attachments.find({ ...owner, visitorId: "named" }, id)).toBeDefined();
  });
});
