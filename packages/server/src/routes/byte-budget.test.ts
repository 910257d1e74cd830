import { describe, expect, it } from "vitest";
import type { Attachment } from "@nitka/protocol";
import { createHeldModel } from "../contract/held-model.contract.ts";
import { refusalOf } from "../contract/server.contract.ts";
import type { Client } from "../contract/server.contract.ts";
import { finish, threadOpener } from "../contract/thread.contract.ts";

const { openHeld } = threadOpener();

const maxBufferedBytes = 64_000_000;

async function heldBytes(client: Client): Promise<number> {
  const page = await (await client.get("/metrics")).text();
  return Number(/^nitka_buffered_bytes (\d+)$/m.exec(page)?.[1] ?? Number.NaN);
}

/** Uploads a text of this many bytes. */
async function upload(client: Client, threadId: string, bytes: number): Promise<Attachment> {
  const response = await client.upload(threadId, new File(["a".repeat(bytes)], "a.txt", { type: "text/plain" }));
  expect(response.status).toBe(200);
  return (await response.json()) as Attachment;
}

describe("the byte budget of the server", () => {
  it("counts the files that a model reads, from the first read until it has sent them and ended", async () => {
    const { model, client } = await openHeld(createHeldModel(), { maxBufferedBytes });
    const threadId = await client.newThread();
    const attachment = await upload(client, threadId, 8_000_000);
    const answered = await client.ask(threadId, { id: "q1", attachments: [attachment] });
    await model.asked(1);
    expect(await heldBytes(client)).toBe(0);
    const [request] = model.requests;
    await request?.expectFiles?.(8_000_000);
    expect(await heldBytes(client)).toBe(24_000_000);
    expect((await request?.readAttachment(attachment))?.length).toBe(8_000_000);
    expect(await heldBytes(client)).toBe(24_000_000);
    model.write("Да");
    await expect.poll(() => heldBytes(client)).toBe(8_000_000);
    finish(model);
    await answered.text();
    await expect.poll(() => heldBytes(client)).toBe(0);
  });

  it("counts the files that tools return, which the model's next requests contain", async () => {
    const { model, client } = await openHeld(createHeldModel(), { maxBufferedBytes });
    const threadId = await client.newThread();
    const answered = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    const url = `data:text/plain;base64,${Buffer.alloc(6_000_000, "a").toString("base64")}`;
    const content = [{ type: "file", mimeType: "text/plain", url }];
    for (const toolCallId of ["c1", "c2"]) {
      model.say({ type: "tool-input-available", toolCallId, toolName: "read", input: {} });
      model.say({ type: "tool-output-available", toolCallId, output: { content } });
    }
    await expect.poll(() => heldBytes(client)).toBe(2 * 3 * 6_000_000);
    finish(model);
    await answered.text();
    await expect.poll(() => heldBytes(client)).toBe(0);
  });

  it("makes questions wait whose files have no room, until others have sent theirs", async () => {
    const { model, client } = await openHeld(createHeldModel(), { maxBufferedBytes });
    const threads = [await client.newThread(), await client.newThread(), await client.newThread()];
    for (const [n, threadId] of threads.entries()) {
      await client.ask(threadId, { id: `q${n}` });
      await model.asked(n + 1);
    }
    const ready: number[] = [];
    const reads = model.requests.map(async (request, n) => {
      await request.expectFiles?.(8_000_000);
      ready.push(n);
    });
    await expect.poll(() => ready).toEqual([0, 1]);
    await client.post(`threads/${threads[0] ?? ""}/run/cancel`, {});
    await Promise.all(reads);
    expect(ready).toEqual([0, 1, 2]);
  });

  it("does not count files that no model reads yet", async () => {
    const { visitor } = await openHeld(createHeldModel(), { maxBufferedBytes });
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      const client = await visitor();
      const threadId = await client.newThread();
      await upload(client, threadId, 8_000_000);
      statuses.push((await client.ask(threadId, { id: "q" })).status);
    }
    expect(statuses).toEqual(Array.from(statuses, () => 200));
  });

  it("counts bodies as they arrive, and never refuses a small one", async () => {
    let addresses = 0;
    const clientAddress = () => `192.0.2.${(addresses += 1)}`;
    const { client, threadId } = await openHeld(createHeldModel(), { maxBufferedBytes, clientAddress });
    const ends: ((error?: Error) => void)[] = [];
    const asking: Promise<Response>[] = [];
    const askSlowly = () => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let n = 0; n < 10; n += 1) controller.enqueue(new Uint8Array(1_000_000).fill(0x20));
          ends.push((error) => (error ? controller.error(error) : controller.close()));
        },
      });
      const headers = { "content-type": "application/json" };
      const init = { method: "POST", body, headers, duplex: "half" } as const;
      const asked = client.fetch(`threads/${threadId}/run/stream`, init);
      asking.push(asked);
      return asked;
    };
    for (let n = 0; n < 3; n += 1) void askSlowly();
    await expect.poll(() => heldBytes(client)).toBe(60_000_000);
    expect(await refusalOf(await askSlowly())).toBe("503 overloaded");
    expect(await heldBytes(client)).toBe(60_000_000);
    expect((await client.post(`threads/${threadId}/run/cancel`, {})).status).toBe(200);
    ends[0]?.(new Error("The connection broke"));
    ends[1]?.();
    ends[2]?.();
    const refusals = await Promise.all(asking.slice(0, 3).map(async (one) => refusalOf(await one)));
    expect(refusals).toEqual(["400 bad_request", "400 bad_request", "400 bad_request"]);
    expect(await heldBytes(client)).toBe(0);
  });
});
