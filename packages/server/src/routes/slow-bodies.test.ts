import { once } from "node:events";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { createHeldModel } from "../contract/held-model.contract.ts";
import { listener, rawRequest } from "../contract/listen.contract.ts";
import { refusalOf, serverOpener } from "../contract/server.contract.ts";
import type { OpenOptions } from "../contract/server.contract.ts";
import { eventually } from "../test-waits/eventually.contract.ts";

const open = serverOpener();
const listen = listener();
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** The announced size of a body that never arrives completely. */
const SIZE = 12_000_000;

async function openListening(options: OpenOptions = {}) {
  // With a proxy in front the address is the header's, so that a test can use several addresses.
  const opened = await open({ clientAddress: undefined, trustedProxies: 1, maxBufferedBytes: 64_000_000, ...options });
  const base = await listen(opened.server);
  const client = await opened.visitor();
  const threadId = await client.newThread();
  /** Begins a request from an address, and sends this many bytes of its body. */
  const begin = async (
    path: string,
    headers: Record<string, string>,
    bytes: number,
    { from = "192.0.2.9", size = SIZE } = {},
  ) => {
    const head = { "content-length": String(size), "x-forwarded-for": from, ...headers };
    const socket = await rawRequest(base, path, { method: "POST", headers: head, body: " ".repeat(bytes) });
    sockets.push(socket);
    // The server may close the connection while the body is still being sent.
    socket.on("error", () => undefined);
    return socket;
  };
  const held = async () => {
    const page = await (await client.get("/metrics")).text();
    return Number(/^nitka_buffered_bytes (\d+)$/m.exec(page)?.[1] ?? Number.NaN);
  };
  return { ...opened, base, client, threadId, begin, held, cookie: client.cookie ?? "" };
}

const json = { "content-type": "application/json" };
const form = { "content-type": "multipart/form-data; boundary=b" };

async function responseOf(socket: Socket): Promise<string> {
  const whole = await text(socket);
  return `${/^HTTP\/1.1 (\d+)/.exec(whole)?.[1]} ${/"code":"(\w+)"/.exec(whole)?.[1]}`;
}

describe("a body that arrives slowly", () => {
  it("is not read for a caller without a credential, however many of them there are", async () => {
    const { client, threadId, begin, held } = await openListening();
    const kinds = [
      [`/api/debug/threads/${threadId}/run/stream`, json],
      [`/api/debug/threads/${threadId}/attachments`, form],
    ] as const;
    const begun = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const [path, headers] = kinds[n % 2] ?? kinds[0];
        return begin(path, headers, 100_000, { from: `192.0.2.${n % 11}` });
      }),
    );
    const statuses = await Promise.all(
      begun.map(async (socket) => {
        const [first] = (await once(socket, "data")) as [Buffer];
        return first.toString().slice(9, 12);
      }),
    );
    expect(new Set(statuses)).toEqual(new Set(["404"]));
    expect(await held()).toBe(0);
    expect((await client.upload(threadId, new File(["a"], "a.txt", { type: "text/plain" }))).status).toBe(200);
  });

  it("is not read for a thread that its visitor does not have", async () => {
    const { visitor, threadId, begin } = await openListening();
    const { cookie = "" } = await visitor();
    for (const [path, headers] of [
      [`/api/debug/threads/${threadId}/run/stream`, json],
      [`/api/debug/threads/${threadId}/attachments`, form],
    ] as const) {
      const socket = await begin(path, { ...headers, cookie, connection: "close" }, 100_000);
      expect(await responseOf(socket)).toBe("404 not_found");
    }
  });

  it("is abandoned when it brings less than 64 KB per interval, and its connection is closed", async () => {
    const { threadId, begin, cookie, held } = await openListening({ timings: { slowBodyMs: 100 } });
    const stream = `/api/debug/threads/${threadId}/run/stream`;
    const cases = [
      // More than 64 KB, and no more than the connection accepts at once: the client has nothing left to send when it
      // is refused.
      begin(stream, { ...json, cookie }, 200_000),
      begin(stream, { ...json, cookie }, 1),
      begin(stream, { ...json, cookie }, 10, { size: 20 }),
      begin(`/api/debug/threads/${threadId}/attachments`, { ...form, cookie }, 10, { size: 5_000_000 }),
    ];
    const responses = await Promise.all(cases.map(async (socket) => responseOf(await socket)));
    expect(responses).toEqual(Array.from(cases, () => "408 request_timeout"));
    expect(await held()).toBe(0);
  });

  it("leaves room for all other addresses", async () => {
    const { client, threadId, begin, cookie, held } = await openListening({
      model: createHeldModel(),
      timings: { slowBodyMs: 3_600_000 },
    });
    const stream = `/api/debug/threads/${threadId}/run/stream`;
    const headers = { ...json, cookie };
    const slow = Array.from({ length: 20 }, () => begin(stream, headers, 5_900_000));
    await Promise.all(slow);
    // Two of them fill the share of one address, which is the 24 MB that the largest body needs. The others are
    // refused.
    await eventually(async () => expect(await held()).toBe(23_600_000));
    const other = { headers: { "x-forwarded-for": "192.0.2.77" } };
    const file = new File(["a".repeat(1_000_000)], "a.txt", { type: "text/plain" });
    const upload = new FormData();
    upload.set("file", file);
    const sent = await client.fetch(`threads/${threadId}/attachments`, { method: "POST", body: upload, ...other });
    expect(sent.status).toBe(200);
    const ask = (id: string, from: string) => {
      const body = " ".repeat(900_000) + JSON.stringify({ messages: [{ id, role: "user", content: "Привет" }] });
      const init = { method: "POST", body, headers: { ...json, "x-forwarded-for": from } };
      return client.fetch(`threads/${threadId}/run/stream`, init);
    };
    expect((await ask("q1", "192.0.2.77")).status).toBe(200);
    const same = await ask("q2", "192.0.2.9");
    expect([same.headers.get("retry-after"), await refusalOf(same)]).toEqual(["5", "429 rate_limited"]);
  });
});
