import type { StreamEvent } from "@nitka/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { serveForTest } from "../contract/listen.contract.ts";
import { eventsOf, tap } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";
import type { Model } from "../model/model.ts";
import { createOpenAiCompatibleModel } from "../model/openai-compatible.ts";
import type { Storage } from "../storage/storage.ts";
import { openSqliteStorage } from "../storage/sqlite.ts";
import { eventually } from "../test-waits/eventually.contract.ts";

const { openThread } = threadOpener();

const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

type Ending = "error" | "file" | "throw" | "broken connection" | "cancel";

/**
 * An upstream that sends words without end, and after three of them the line of `ending`; a chat completion at
 * `/chat/completions`.
 */
async function openUpstream(ending: Ending) {
  let open = 0;
  let requests = 0;
  const url = await serveForTest((request, response) => {
    open += 1;
    requests += 1;
    const isChat = request.url?.endsWith("/chat/completions") === true;
    let lines = 0;
    const timer = setInterval(() => {
      lines += 1;
      const isLast = lines === 3;
      const bad = JSON.stringify({ error: { message: "no", type: "server_error" } });
      const good = JSON.stringify({ choices: [{ delta: { content: "слово " } }] });
      if (isLast && ending === "broken connection") response.destroy();
      else if (isChat) response.write(`data: ${isLast && ending === "error" ? bad : good}\n\n`);
      else response.write(`${isLast ? ending : "слово"}\n`);
    }, 5);
    response.writeHead(200, { "content-type": isChat ? "text/event-stream" : "text/plain" });
    response.once("close", () => {
      clearInterval(timer);
      open -= 1;
    });
  });
  return { url, open: () => open, requests: () => requests };
}

/**
 * A model as a project may implement it. It closes its upstream in `finally`, or leaves that to the signal of the
 * request.
 */
function ownModel(url: string, closesBy: "finally" | "signal") {
  let open = 0;
  const eventOf = (line: string): StreamEvent => {
    if (line === "error") return { type: "error", errorText: "Не вышло" };
    if (line === "file") return { type: "file", mediaType: "text/plain", url: "data:text/plain;base64,0JTQsA==" };
    if (line === "throw") throw new Error("a fault of the model");
    return { type: "text-delta", id: "t1", delta: `${line} ` };
  };
  const model: Model = {
    id: "own",
    name: "Own",
    title: async () => undefined,
    async *run({ signal }) {
      open += 1;
      const upstream = new AbortController();
      try {
        const signals = closesBy === "signal" ? [signal] : [upstream.signal];
        const { body } = await fetch(url, { signal: AbortSignal.any(signals) });
        for await (const chunk of body ?? []) {
          for (const line of new TextDecoder().decode(chunk).trim().split("\n")) yield eventOf(line);
        }
        return {};
      } finally {
        open -= 1;
        if (closesBy === "finally") upstream.abort();
      }
    },
  };
  return { model, open: () => open };
}

/** A storage that refuses files with an error of its own, like a store whose disk has no handle left. */
async function storageWithoutFiles(): Promise<Storage> {
  const storage = await openSqliteStorage({ path: ":memory:" });
  closes.push(() => storage.close());
  const write = () => Promise.reject(new Error("EMFILE: too many open files"));
  return { ...storage, attachments: { ...storage.attachments, write } };
}

const cases = (["error", "file", "throw", "broken connection", "cancel"] as const).flatMap((ending) =>
  (["finally", "signal"] as const).map((closesBy) => ({ ending, closesBy })),
);

describe("a run whose model is cut short", () => {
  it.each(cases)(
    "by $ending leaves no generator and no connection of an own model that closes by $closesBy",
    async ({ ending, closesBy }) => {
      const upstream = await openUpstream(ending);
      const own = ownModel(upstream.url, closesBy);
      const { client, threadId } = await openThread({ model: own.model, storage: await storageWithoutFiles() });
      const stream = tap(await client.ask(threadId, { id: "q1" }));
      await eventually(() => expect(stream.text()).toContain("слово"));
      if (ending === "cancel") await client.post(`threads/${threadId}/run/cancel`, {});
      await stream.done;
      expect(stream.text()).toContain(ending === "cancel" ? '"abort"' : '"error"');
      await eventually(() => expect([own.open(), upstream.open(), upstream.requests()]).toEqual([0, 0, 1]));
    },
  );

  it.each(["error", "broken connection", "cancel"] as const)(
    "by $0 leaves no connection of an OpenAI-compatible upstream",
    async (ending) => {
      const upstream = await openUpstream(ending);
      const model = createOpenAiCompatibleModel({ model: "m", baseUrl: upstream.url, title: async () => undefined });
      const { client, threadId } = await openThread({ model });
      const stream = tap(await client.ask(threadId, { id: "q1" }));
      await eventually(() => expect(stream.text()).toContain("слово"));
      if (ending === "cancel") await client.post(`threads/${threadId}/run/cancel`, {});
      await stream.done;
      await eventually(() => expect(upstream.open()).toBe(0));
    },
  );

  it("counts the tokens that its model reports when it is closed", async () => {
    let closed = 0;
    const model: Model = {
      id: "own",
      name: "Own",
      title: async () => undefined,
      async *run({ onUsage }) {
        try {
          yield { type: "text-delta", id: "t1", delta: "Полсло" };
          yield { type: "error", errorText: "Не вышло" };
          return {};
        } finally {
          closed += 1;
          const tokens = { inputTokens: 30, cachedInputTokens: 0, outputTokens: 7, estimated: false };
          onUsage?.({ modelId: "own", purpose: "answer", ...tokens });
        }
      },
    };
    const { client, threadId, log } = await openThread({ model });
    await eventsOf(await client.ask(threadId, { id: "q1" }));
    const ended = log.find(({ text }) => text === "run ended");
    expect([closed, ended?.fields]).toMatchObject([1, { inputTokens: 30, outputTokens: 7 }]);
  });

  it("ends although its model hangs when it is closed", async () => {
    const model: Model = {
      id: "own",
      name: "Own",
      title: async () => undefined,
      async *run() {
        try {
          yield { type: "text-delta", id: "t1", delta: "Полсло" };
          yield { type: "error", errorText: "Не вышло" };
          return {};
        } finally {
          await new Promise(() => undefined);
        }
      },
    };
    const { client, threadId } = await openThread({ model });
    const events = await eventsOf(await client.ask(threadId, { id: "q1" }));
    expect(events.slice(-2)).toEqual([{ type: "error", errorText: "Не вышло" }, "[DONE]"]);
  });
});
