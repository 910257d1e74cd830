import { afterEach, describe, expect, it } from "vitest";
import type { Attachment } from "@nitka/protocol";
import { refusalOf } from "../contract/server.contract.ts";
import type { Client, OpenOptions } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";
import { openSqliteStorage } from "../storage/sqlite.ts";
import type { Pieces, Storage } from "../storage/storage.ts";
import { allOf } from "../storage/contract/fixture.contract.ts";

const PIECE = 65_536;
const storages: Storage[] = [];

afterEach(async () => {
  for (const storage of storages.splice(0)) await storage.close();
});

const { openThread } = threadOpener();

/** Counts the data that enters and leaves the store of files. */
async function openCounted(options: OpenOptions = {}) {
  const storage = await openSqliteStorage({ path: ":memory:" });
  storages.push(storage);
  const count = { written: 0, read: 0, ended: 0 };
  async function* counted(pieces: Pieces, which: "written" | "read"): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of pieces) {
        count[which] += piece.length;
        yield piece;
      }
    } finally {
      count.ended += 1;
    }
  }
  const attachments: Storage["attachments"] = {
    ...storage.attachments,
    write: (id, pieces) => storage.attachments.write(id, counted(pieces, "written")),
    read: async (...args) => {
      const pieces = await storage.attachments.read(...args);
      return pieces && counted(pieces, "read");
    },
  };
  return { ...(await openThread({ ...options, storage: { ...storage, attachments } })), count };
}

/** A form with a file of this many bytes, which are made on demand. */
function form(type: string, size: number, onPull: (sent: number) => void = () => undefined) {
  const head = `--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\ncontent-type: ${type}\r\n\r\n`;
  const utf8 = new TextEncoder();
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent === 0) controller.enqueue(utf8.encode(head));
        const piece = new Uint8Array(Math.min(PIECE, size - sent)).fill(97);
        sent += piece.length;
        onPull(sent);
        controller.enqueue(piece);
        if (sent < size) return;
        controller.enqueue(utf8.encode("\r\n--x--\r\n"));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, sent: () => sent };
}

function send(client: Client, threadId: string, body: ReadableStream): Promise<Response> {
  return client.fetch(`threads/${threadId}/attachments`, {
    method: "POST",
    body,
    headers: { "content-type": "multipart/form-data; boundary=x" },
    duplex: "half",
  });
}

describe("an upload of 10 MB", () => {
  it("is refused before a byte is read when its headers rule it out", async () => {
    const { client, threadId } = await openThread({ project: { limits: { uploadsPerMinute: 1 } } });
    const refusals = [];
    for (const thread of ["nothing", threadId, threadId]) {
      const { body, sent } = form("text/plain", thread === threadId ? 10_000_000 : 9_999_999);
      refusals.push([(await send(client, thread, body)).status, sent()]);
    }
    expect(refusals).toEqual([
      [404, 0],
      [200, 10_000_000],
      [429, 0],
    ]);
  });

  it("is refused after its first bytes when they are of another type", async () => {
    const { client, threadId } = await openThread();
    const { body, sent } = form("image/png", 10_000_000);
    expect(await refusalOf(await send(client, threadId, body))).toBe("415 unsupported_media_type");
    expect(sent()).toBeLessThan(400_000);
  });

  it("is read no faster than it is stored", async () => {
    let ahead = 0;
    const { client, threadId, count } = await openCounted();
    const { body } = form("text/plain", 10_000_000, (sent) => {
      ahead = Math.max(ahead, sent - count.written);
    });
    expect(await (await send(client, threadId, body)).json()).toMatchObject({ size: 10_000_000 });
    expect(count.written).toBe(10_000_000);
    expect(ahead).toBeLessThan(600_000);
  });

  it("leaves nothing behind when it breaks off", async () => {
    const { client, threadId, storage } = await openThread();
    const { body } = form("text/plain", 10_000_000, (sent) => {
      if (sent > 5_000_000) throw new Error("The connection broke");
    });
    expect(await refusalOf(await send(client, threadId, body))).toBe("400 bad_request");
    expect(await allOf(storage.attachments.sweep("9999-01-01T00:00:00.000Z"))).toBe(0);
  });
});

describe("a visitor's files", () => {
  it("stay within the visitor's limit when several arrive at once", async () => {
    const { client, threadId } = await openThread({ project: { limits: { storageBytes: 125_000 } } });
    const file = new File(["a".repeat(50_000)], "a.txt", { type: "text/plain" });
    const responses = await Promise.all(Array.from({ length: 6 }, () => client.upload(threadId, file)));
    const refused = responses.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(4);
    expect(await refused[0]?.json()).toEqual({
      error: {
        code: "storage_exceeded",
        message:
          "There is no room for the file a.txt: all your files together may have 125000 bytes. Delete chats with files that you no longer need.",
      },
    });
    await client.post(`threads/${threadId}/archive`, {});
    expect((await client.upload(await client.newThread(), file)).status).toBe(200);
  });
});

describe("files from one address", () => {
  it("stay within the daily limit, until midnight UTC, from any visitor and in any form", async () => {
    let now = new Date("2026-11-21T23:00:00Z");
    const project = { limits: { addressStorageBytesPerDay: 100_000 } };
    const { visitor, client, threadId } = await openThread({ project, clock: () => now });
    const file = (size: number) => new File(["a".repeat(size)], "a.txt", { type: "text/plain" });
    expect((await client.upload(threadId, file(60_000))).status).toBe(200);
    const other = await visitor();
    const elsewhere = await other.newThread();
    const refused = await other.upload(elsewhere, file(50_000));
    expect(refused.headers.get("retry-after")).toBe("3600");
    expect(await refusalOf(refused)).toBe("413 storage_exceeded");
    const inside = { type: "file", mimeType: "text/plain", data: btoa("a".repeat(50_000)) } as const;
    expect(await refusalOf(await other.ask(elsewhere, { id: "q1", content: [inside] }))).toBe("413 storage_exceeded");
    expect((await other.upload(elsewhere, file(30_000))).status).toBe(200);
    now = new Date("2026-11-22T00:00:00Z");
    expect((await other.ask(elsewhere, { id: "q1", content: [inside] })).status).toBe(200);
  });
});

describe("files of one project", () => {
  it("stay within the project's limit over all visitors, until some are deleted", async () => {
    const project = { limits: { projectStorageBytes: 100_000 } };
    const { visitor, client, threadId } = await openThread({ project });
    const file = new File(["a".repeat(60_000)], "a.txt", { type: "text/plain" });
    expect((await client.upload(threadId, file)).status).toBe(200);
    const other = await visitor();
    const elsewhere = await other.newThread();
    expect(await (await other.upload(elsewhere, file)).json()).toEqual({
      error: {
        code: "storage_exceeded",
        message: "There is no room for the file a.txt: the files of this site have reached their limit.",
      },
    });
    await client.post(`threads/${threadId}/archive`, {});
    expect((await other.upload(elsewhere, file)).status).toBe(200);
  });
});

describe("an attachment", () => {
  async function openLarge(options: OpenOptions = {}) {
    const opened = await openCounted(options);
    const { client, threadId } = opened;
    const uploaded = await send(client, threadId, form("text/plain", 10_000_000).body);
    return { ...opened, url: `/${((await uploaded.json()) as Attachment).url}` };
  }

  it("is read no further than its reader reads, and no further after the reader has left", async () => {
    const { client, url, count } = await openLarge({ timings: { slowReaderMs: 100 } });
    const responses = [];
    const { ended } = count;
    for (let n = 0; n < 10; n += 1) responses.push(await client.get(url));
    await expect.poll(() => count.ended - ended).toBe(10);
    // All ten were cut off before they had read more than what may be buffered for them.
    for (const response of responses) await expect(response.arrayBuffer()).rejects.toThrow("The reader was too slow");
    expect(count.read).toBeLessThan(10 * 800_000);
  });

  it("is served in ranges, as media players request it", async () => {
    const { client, url } = await openLarge();
    const range = async (value: string, more: Record<string, string> = {}) => {
      const { status, headers, ...response } = await client.get(url, { range: value, ...more }).then(async (one) => ({
        status: one.status,
        headers: one.headers,
        size: (await one.arrayBuffer()).byteLength,
      }));
      return [status, headers.get("content-range"), response.size];
    };
    expect([
      await range("bytes=0-1"),
      await range("bytes=9999990-"),
      await range("bytes=-3"),
      await range("bytes=300000-20000000"),
      await range("bytes=0-1,5-6"),
      await range("bytes=0-1", { "if-range": '"another"' }),
    ]).toEqual([
      [206, "bytes 0-1/10000000", 2],
      [206, "bytes 9999990-9999999/10000000", 10],
      [206, "bytes 9999997-9999999/10000000", 3],
      [206, "bytes 300000-9999999/10000000", 9_700_000],
      [200, null, 10_000_000],
      [200, null, 10_000_000],
    ]);
  });
});
