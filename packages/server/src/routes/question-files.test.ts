import { describe, expect, it } from "vitest";
import type { Attachment, Part } from "@nitka/protocol";
import { fileUrlOf, partsOf } from "@nitka/protocol/message";
import { eventsOf, refusalOf } from "../contract/server.contract.ts";
import type { Client } from "../contract/server.contract.ts";
import { finish, threadOpener } from "../contract/thread.contract.ts";
import { allOf } from "../storage/contract/fixture.contract.ts";

const { openThread, openHeld } = threadOpener();

const PNG = "\x89PNG\r\n\x1a\n";
const png = `data:image/png;base64,${btoa(PNG)}`;
const accept = "image/*,audio/*,text/*";

function ask(client: Client, threadId: string, content: readonly Part[], id = "q1"): Promise<Response> {
  return client.post(`threads/${threadId}/run/stream`, { messages: [{ id, role: "user", content }] });
}

async function partsIn(client: Client, threadId: string): Promise<readonly Part[]> {
  const [question] = await client.messages(threadId);
  return question ? partsOf(question) : [];
}

async function bytesAt(client: Client, part: Part): Promise<string> {
  const response = await client.get(`/${fileUrlOf(part) ?? ""}`);
  return Buffer.from(await response.arrayBuffer()).toString("latin1");
}

describe("the files inside a question", () => {
  it("become uploads: the stored question has their addresses and none of their bytes", async () => {
    const { client, threadId } = await openThread({ project: { config: { attachments: { accept } } } });
    const long = "a,b\n".repeat(400_000);
    const content: Part[] = [
      { type: "text", text: "Вот" },
      { type: "image", image: png },
      { type: "file", mimeType: "text/csv; charset=utf-8", filename: "a.csv", data: btoa(long) },
      { type: "file", mimeType: "text/plain", url: "data:text/plain,%D0%94%D0%B0" },
      { type: "file", mimeType: "text/plain", data: "data:text/plain;base64,SGk=" },
      { type: "audio", audio: { data: btoa("ID3"), format: "mpeg" } },
    ];
    await eventsOf(await ask(client, threadId, content));
    const listed = await (await client.get(`threads/${threadId}/messages`)).text();
    expect(listed.length).toBeLessThan(2_000);
    const parts = await partsIn(client, threadId);
    const address = expect.stringMatching(/^api\/debug\/attachments\/\w+$/) as string;
    expect(parts).toEqual([
      { type: "text", text: "Вот" },
      { type: "image", image: address },
      { type: "file", mimeType: "text/csv", filename: "a.csv", url: address },
      { type: "file", mimeType: "text/plain", url: address },
      { type: "file", mimeType: "text/plain", url: address },
      { type: "audio", audio: { url: address, format: "mpeg" } },
    ]);
    const bytes: string[] = [];
    for (const part of parts.slice(1)) bytes.push(await bytesAt(client, part));
    expect(bytes).toEqual([PNG, long, Buffer.from("Да").toString("latin1"), "Hi", "ID3"]);
  });

  it("get the type of their bytes when their own type cannot be in a header", async () => {
    const { client, threadId, log } = await openThread({ project: { config: { attachments: { accept: "*/*" } } } });
    const content = ["text/ж", "image/a b", "x"].map((type): Part => ({
      type: "file",
      mimeType: type,
      filename: "a",
      url: `data:${type};base64,${btoa(PNG)}`,
    }));
    await eventsOf(await ask(client, threadId, content));
    const parts = await partsIn(client, threadId);
    expect(parts).toHaveLength(3);
    for (const part of parts) {
      const response = await client.get(`/${fileUrlOf(part) ?? ""}`);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    }
    expect(log.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("reach the model, with those of earlier questions", async () => {
    const { model, client, threadId } = await openHeld();
    const first = await ask(client, threadId, [{ type: "image", image: png }]);
    await model.asked(1);
    finish(model);
    await eventsOf(first);
    await ask(client, threadId, [{ type: "file", mimeType: "text/plain", data: btoa("Hi") }], "q2");
    await model.asked(2);
    const request = model.requests[1];
    const parts = request?.history.flatMap((message) => partsOf(message)) ?? [];
    const bytes: string[] = [];
    for (const part of parts) {
      const attachment = request?.attachments?.get(fileUrlOf(part) ?? "");
      if (attachment) bytes.push(Buffer.from((await request?.readAttachment(attachment)) ?? []).toString("latin1"));
    }
    expect(bytes).toEqual([PNG, "Hi"]);
  });

  it("are deleted with its thread", async () => {
    const { client, storage, threadId } = await openThread();
    await eventsOf(await ask(client, threadId, [{ type: "image", image: png }]));
    await allOf(storage.attachments.expire("2100-01-01T00:00:00.000Z"));
    const [part] = await partsIn(client, threadId);
    if (!part) throw new Error("The question has no part");
    expect(await bytesAt(client, part)).toBe(PNG);
    await client.post(`threads/${threadId}/archive`, {});
    await allOf(storage.attachments.expireArchived("2100-01-01T00:00:00.000Z"));
    expect((await client.get(`/${fileUrlOf(part) ?? ""}`)).status).toBe(404);
    expect(await allOf(storage.attachments.sweep("2100-01-01T00:00:00.000Z"))).toBe(1);
  });

  it("may exceed a megabyte, but the text beside them may not", async () => {
    const { client, threadId } = await openThread({ project: { limits: { messageChars: null } } });
    const file: Part = { type: "file", mimeType: "text/plain", data: btoa("a".repeat(2_000_000)) };
    const words = (length: number): Part => ({ type: "text", text: "data:".padEnd(length, "a") });
    expect(await refusalOf(await ask(client, threadId, [file, words(1_000_001)]))).toBe("413 payload_too_large");
    expect((await ask(client, threadId, [file, words(990_000)])).status).toBe(200);
  });

  it("are checked and counted like uploads", async () => {
    const { client, storage, threadId } = await openThread({ project: { limits: { storageBytes: 10 } } });
    const text = (data: string): Part => ({ type: "file", mimeType: "text/plain", data: btoa(data) });
    expect([
      await refusalOf(await ask(client, threadId, [{ type: "image", image: `data:image/png;base64,${btoa("text")}` }])),
      await refusalOf(await ask(client, threadId, [text("\0\0")])),
      await refusalOf(await ask(client, threadId, [text("short"), text("too long")])),
      await refusalOf(await ask(client, threadId, [text("short"), { type: "image", image: "https://evil.example/" }])),
    ]).toEqual([
      "415 unsupported_media_type",
      "415 unsupported_media_type",
      "413 storage_exceeded",
      "422 unprocessable",
    ]);
    await allOf(storage.attachments.expire("2100-01-01T00:00:00.000Z"));
    expect((await ask(client, threadId, [text("short"), text("short")])).status).toBe(200);
  });
});

describe("a question that references files of its thread inside it", () => {
  it("is accepted when they are the visitor's own, as in an edited question", async () => {
    const { client, threadId } = await openThread();
    await eventsOf(await ask(client, threadId, [{ type: "image", image: png }]));
    const [part] = await partsIn(client, threadId);
    const edited: readonly Part[] = part ? [{ type: "text", text: "Иначе" }, part] : [];
    await eventsOf(await ask(client, threadId, edited, "q2"));
    const question = (await client.messages(threadId)).find(({ id }) => id === "q2");
    expect(question?.content).toEqual(edited);
  });

  it("is refused when they are another visitor's, of another thread, unknown, or of another type", async () => {
    const { visitor, client, threadId } = await openThread();
    const file = new File(["a"], "a.txt", { type: "text/plain" });
    const other = await visitor();
    const foreign = (await (await other.upload(await other.newThread(), file)).json()) as Attachment;
    const elsewhere = (await (await client.upload(await client.newThread(), file)).json()) as Attachment;
    const own = (await (await client.upload(threadId, file)).json()) as Attachment;
    const named = (url: string): Part => ({ type: "file", mimeType: "text/plain", url });
    const refusals: string[] = [];
    for (const part of [
      named(foreign.url),
      named(elsewhere.url),
      named("api/debug/attachments/nothing"),
      { type: "image", image: own.url },
      { type: "audio", audio: { url: own.url, format: "wav" } },
    ] as const) {
      refusals.push(await refusalOf(await ask(client, threadId, [part])));
    }
    expect(refusals).toEqual(Array.from({ length: 5 }, () => "422 unprocessable"));
    expect((await ask(client, threadId, [named(own.url)])).status).toBe(200);
  });
});
