import { describe, expect, it } from "vitest";
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

/** A thread with a file of eight megabytes in it. */
async function threadWithFile(client: Client): Promise<string> {
  const threadId = await client.newThread();
  await client.upload(threadId, new File(["a".repeat(8_000_000)], "a.txt", { type: "text/plain" }));
  return threadId;
}

describe("the byte budget of the server", () => {
  it("refuses a question whose files have no room, and stores nothing of it", async () => {
    const { model, client } = await openHeld(createHeldModel(), { maxBufferedBytes });
    const threads = [await threadWithFile(client), await threadWithFile(client), await threadWithFile(client)];
    const [first = "", second = "", third = ""] = threads;
    const answered = await client.ask(first, { id: "q1" });
    await model.asked(1);
    await client.ask(second, { id: "q2" });
    await model.asked(2);
    expect(await heldBytes(client)).toBe(48_000_000);
    const refused = await client.ask(third, { id: "q3" });
    expect([refused.headers.get("retry-after"), await refusalOf(refused)]).toEqual(["5", "503 overloaded"]);
    expect(await client.messages(third)).toEqual([]);
    await client.post(`threads/${first}/run/cancel`, {});
    await answered.text();
    await expect.poll(() => heldBytes(client)).toBe(24_000_000);
    expect((await client.ask(third, { id: "q3" })).status).toBe(200);
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

  it("gets the bytes back when a question is refused, fails or is answered", async () => {
    const { model, client } = await openHeld(createHeldModel(), { maxBufferedBytes });
    const threadId = await threadWithFile(client);
    expect(await heldBytes(client)).toBe(0);
    expect(await refusalOf(await client.ask(threadId, { id: "q1", parentId: "nothing" }))).toBe("422 unprocessable");
    expect(await heldBytes(client)).toBe(0);
    const failed = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    expect(await refusalOf(await client.ask(threadId, { id: "q2" }))).toBe("409 run_in_progress");
    expect(await heldBytes(client)).toBe(24_000_000);
    model.fail(new Error("broken"));
    await failed.text();
    const file = { type: "file", mimeType: "text/plain", data: btoa("a".repeat(900_000)) } as const;
    const answered = await client.ask(threadId, { id: "q3", content: [file] });
    await model.asked(2);
    expect(await heldBytes(client)).toBe(26_700_000);
    finish(model);
    await answered.text();
    await expect.poll(() => heldBytes(client)).toBe(0);
  });
});
