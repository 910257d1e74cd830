import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Message } from "@nitka/protocol";
import { beginAnswer } from "@nitka/protocol/begin-answer";
import { applyEvent } from "@nitka/protocol/apply-event";
import { parseStreamEvent } from "@nitka/protocol/stream-event";
import { eventually } from "../test-waits/eventually.contract.ts";
import { createHeldModel } from "../contract/held-model.contract.ts";
import { recordedAnswer } from "../contract/recorded-answer.contract.ts";
import { listener, rawRequest } from "../contract/listen.contract.ts";
import { parseFrames, seqOf, serverOpener } from "../contract/server.contract.ts";
import type { Frame, OpenOptions } from "../contract/server.contract.ts";
import type { Model } from "../model/model.ts";

const open = serverOpener();
const listen = listener();

async function openListening(options: OpenOptions) {
  const opened = await open({ clientAddress: undefined, ...options });
  const base = await listen(opened.server);
  const client = await opened.visitor();
  const threadId = await client.newThread();
  const path = `/api/debug/threads/${threadId}/run/stream`;
  const headers = { cookie: client.cookie ?? "", "content-type": "application/json" };
  const body = JSON.stringify({ messages: [{ id: "q1", role: "user", content: "Привет" }] });
  return { ...opened, base, client, threadId, path, headers, body };
}

/** Each run stores the file that its model makes under an id of its own. */
const FILE = /api\/debug\/attachments\/\w+/;

function fold(frames: readonly Frame[]): Message {
  const events = frames.flatMap(({ data }) => parseStreamEvent(JSON.stringify(data).replace(FILE, "files/1")) ?? []);
  return events.reduce(applyEvent, beginAnswer("")).message;
}

describe("a reader whose socket is cut", () => {
  it("and who rejoins after any event of a run gets the same message as an uninterrupted reader", async () => {
    // The last event waits until every reader is back, so that there is something to rejoin after each cut.
    const back = Promise.withResolvers<void>();
    const model: Model = {
      id: "gated",
      name: "Gated",
      title: async () => "Погода",
      async *run() {
        for (const event of recordedAnswer.slice(0, -1)) {
          yield event;
          await sleep(2);
        }
        await back.promise;
        yield* recordedAnswer.slice(-1);
        return {};
      },
    };
    const ofAddress = { addressMessagesPerMinute: null, addressRunsAtOnce: null };
    const project = { limits: { messagesPerMinute: null, runsAtOnce: null, ...ofAddress } };
    const { base, client, body, headers } = await openListening({ model, project });
    const cuts = [Number.POSITIVE_INFINITY, ...recordedAnswer.map((_, index) => index + 1)];
    let away = cuts.length;

    async function cutAfter(count: number): Promise<{ readonly ids: readonly unknown[]; readonly message: Message }> {
      const path = `/api/debug/threads/${await client.newThread()}/run/stream`;
      const asked = await openFrames(base, `${path}?cursor=1`, { method: "POST", headers, body });
      const first = Number.isFinite(count) ? await asked.read(count) : [];
      const after = first.at(-1)?.id ?? "";
      const rest = Number.isFinite(count)
        ? await openFrames(base, `${path}?after=${after}`, { headers: { cookie: headers.cookie } })
        : asked;
      away -= 1;
      if (away === 0) back.resolve();
      const frames = [...first, ...(await rest.read())].filter(({ id }) => id !== undefined);
      return { ids: frames.map(seqOf), message: { ...fold(frames), id: "" } };
    }

    const [uncut, ...cut] = await Promise.all(cuts.map(cutAfter));
    const total = recordedAnswer.length + 3;
    expect(uncut?.ids).toEqual(Array.from({ length: total }, (_, index) => index + 1));
    expect(uncut?.message.status).toEqual({ type: "complete" });
    expect(cut).toEqual(cut.map(() => uncut));
  });
});

describe("a stream over a real socket", () => {
  it("is written to Node's response, headers first, and leaves the connection open", async () => {
    const model = createHeldModel();
    const { base, path, headers, body } = await openListening({ model });
    const response = await fetch(`${base}${path}`, { method: "POST", headers, body });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "x-vercel-ai-ui-message-stream": "v1",
      "x-content-type-options": "nosniff",
      "transfer-encoding": "chunked",
    });
    await model.asked(1);
    model.write("Да");
    model.end();
    expect(parseFrames(await response.text()).at(-1)).toEqual({ data: "[DONE]" });
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
  });

  it("is limited by the address of its socket, whatever X-Forwarded-For says", async () => {
    const { base, headers } = await openListening({
      model: createHeldModel(),
      project: { limits: { requestsPerMinute: 3 } },
    });
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const forwarded = { ...headers, "x-forwarded-for": `10.0.0.${n}` };
      statuses.push((await fetch(`${base}/api/debug/threads`, { headers: forwarded })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });

  it("is limited by the address that trusted proxies report", async () => {
    const { base, headers } = await openListening({
      model: createHeldModel(),
      trustedProxies: 1,
      project: { limits: { requestsPerMinute: 1 } },
    });
    const ask = async (forwarded: string) =>
      (await fetch(`${base}/api/debug/threads`, { headers: { ...headers, "x-forwarded-for": forwarded } })).status;
    expect([await ask("1.1.1.1"), await ask("2.2.2.2"), await ask("9.9.9.9, 2.2.2.2")]).toEqual([200, 200, 429]);
  });
});

describe("a reader that does not read", () => {
  it("is cut off with little buffered for it, and the run continues", async () => {
    const model = createHeldModel();
    const { base, client, threadId, path, headers, body } = await openListening({
      model,
      timings: { slowReaderMs: 200 },
    });
    const socket = await rawRequest(base, path, { method: "POST", headers, body });
    socket.pause();
    await model.asked(1);
    const closed = once(socket, "close");
    socket.on("error", () => undefined);
    const piece = "я".repeat(50_000);
    for (let n = 0; n < 200; n += 1) model.write(piece);
    await eventually(async () => expect(await openStreams(base)).toBe(0));
    model.end();
    await eventually(async () =>
      expect((await client.messages(threadId)).at(-1)?.status).toEqual({ type: "complete" }),
    );
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(200 * 100_000);
  });

  it("gets every event afterwards, in order and once, when it pauses for a while", async () => {
    const model = createHeldModel();
    const { base, path, headers, body } = await openListening({ model });
    const socket = await rawRequest(base, `${path}?cursor=1`, { method: "POST", headers, body });
    socket.pause();
    await model.asked(1);
    const piece = "x".repeat(50_000);
    for (let n = 0; n < 300; n += 1) model.write(piece);
    model.end();
    await new Promise((resolve) => setTimeout(resolve, 500));
    const ids: number[] = [];
    let rest = "";
    socket.on("data", (bytes) => {
      const lines = (rest + bytes.toString()).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.startsWith("id: ")) ids.push(Number(line.split(":").at(-1)));
      if (lines.includes("data: [DONE]")) socket.end();
    });
    socket.resume();
    await once(socket, "close");
    expect(ids).toEqual(Array.from({ length: 303 }, (_, index) => index + 1));
  });
});

async function openStreams(base: string): Promise<number> {
  const page = await (await fetch(`${base}/metrics`)).text();
  return Number(/^nitka_open_streams (\d+)$/m.exec(page)?.[1]);
}

/** A stream over a socket of its own. */
async function openFrames(base: string, path: string, init: RequestInit) {
  const breaking = new AbortController();
  const response = await fetch(base + path, { ...init, signal: breaking.signal });
  return {
    /** Reads to the end; or this many frames, and then breaks the socket. */
    async read(count = Number.POSITIVE_INFINITY): Promise<readonly Frame[]> {
      const utf8 = new TextDecoder();
      let text = "";
      try {
        for await (const bytes of response.body ?? []) {
          text += utf8.decode(bytes, { stream: true });
          if (text.split("\n\n").length > count) breaking.abort();
        }
      } catch (error) {
        if (!breaking.signal.aborted) throw error;
      }
      return parseFrames(text.slice(0, text.lastIndexOf("\n\n") + 2)).slice(0, count);
    },
  };
}
