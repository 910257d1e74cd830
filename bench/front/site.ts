/** One server for the widget and the compared chats: their files with the same compression, and one answer in each protocol. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, normalize } from "node:path";
import { text } from "node:stream/consumers";
import { brotliCompressSync } from "node:zlib";
import { listenLocally } from "../../scripts/listen-locally.mjs";
import { answerOf, conversationOf, deltasOf } from "./answer-text.ts";

export interface Site {
  readonly origin: string;
  close(): Promise<void>;
}

export interface SiteOptions {
  /** The folders of the built widget and of the others' built pages. */
  readonly folders: { readonly widget: string; readonly pages: string };
  /** The threads with the number of messages of each, beside an empty one. */
  readonly threads: Readonly<Record<string, number>>;
  /** The responses to chats other than the widget. */
  readonly others?: (url: URL, body: string) => ApiAnswer | undefined;
}

/** What a question asks for. */
export interface Order {
  readonly chars: number;
  /** `paced`: four deltas every 16 ms. `burst`: all of them at once. */
  readonly pace: "paced" | "burst";
  /** The number of sentences that cite a source, which arrives before the number; by default none. */
  readonly citations?: number;
}

/** The response to a request: a text at once, or a streamed answer. */
export type ApiAnswer = { readonly type: string; readonly text: string } | { readonly wire: Wire };

/** An answer in a protocol: its beginning, its deltas and its end. */
export interface Wire {
  readonly headers: Readonly<Record<string, string>>;
  readonly begin: string;
  readonly delta: (text: string) => string;
  readonly source?: (n: number) => string;
  readonly end: string;
}

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

const ourPage = `<!doctype html><html lang="ru"><meta charset="utf-8"><title>Нитка</title>
<style>html, body, #chat { height: 100%; margin: 0 }</style>
<div id="chat"></div><script src="/widget/nitka.js"></script><script>Nitka.init({ target: "#chat" })</script></html>`;

/** The question that asks for this answer. */
export function questionFor({ chars, pace, citations = 0 }: Order): string {
  return `Ответ ${chars}${pace === "burst" ? " сразу" : ""}${citations > 0 ? ` с источниками ${citations}` : ""}`;
}

/** The end of an answer of this many characters, which no other answer has. */
export function endOf(chars: number): string {
  return `Конец ответа ${chars}.`;
}

export async function startSite({ folders, threads, others }: SiteOptions): Promise<Site> {
  const compressed = new Map<string, Buffer>();
  const listed = Object.entries({ empty: 0, ...threads }).map(([threadId, count]) => ({
    thread: { threadId, title: `Тема ${threadId}`, updatedAt: "2026-11-01T10:00:00Z" },
    // The messages are stored as JSON, because serializing them takes as long as the widget takes to read them, on the
    // processors that are measured.
    messages: JSON.stringify(conversationOf(threadId, count)),
  }));
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://site");
    const { pathname } = url;
    if (pathname.startsWith("/widget/")) return sendFile(response, join(folders.widget, normalize(pathname.slice(7))));
    if (pathname.startsWith("/pages/")) {
      const path = normalize(pathname.slice(6));
      return sendFile(response, join(folders.pages, path.endsWith("/") ? `${path}index.html` : path));
    }
    if (pathname.startsWith("/api/")) {
      const body = await text(request);
      const answered = others?.(url, body) ?? ourAnswerOf(request.method ?? "GET", pathname);
      if ("wire" in answered) return stream(answered.wire, body, response);
      return void response.writeHead(200, { "content-type": answered.type }).end(answered.text);
    }
    if (!pathname.startsWith("/c/")) return void response.writeHead(404).end();
    send(response, ".html", brotliCompressSync(ourPage));
  }

  function ourAnswerOf(method: string, pathname: string): ApiAnswer {
    if (pathname.endsWith("/run/stream")) return { wire: messageStreamOf(`answer-${performance.now()}`) };
    if (pathname.endsWith("/threads") && method === "GET") return json(listed.map(({ thread }) => thread));
    const thread = listed.find(({ thread: { threadId } }) => pathname.endsWith(`/threads/${threadId}/messages`));
    return thread ? { type: "application/json", text: thread.messages } : json({});
  }

  async function sendFile(response: ServerResponse, path: string): Promise<void> {
    const file = compressed.get(path) ?? (await readFile(path).then(brotliCompressSync, () => undefined));
    if (!file) return void response.writeHead(404).end();
    compressed.set(path, file);
    send(response, extname(path), file);
  }

  const port = await listenLocally(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}

export function json(value: unknown): ApiAnswer {
  return { type: "application/json", text: JSON.stringify(value) };
}

/** A frame of an event stream. */
export function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

export const eventStream = { "content-type": "text/event-stream", "cache-control": "no-cache" };

/** Our stream, and the AI SDK's message stream, which is the same. */
export function messageStreamOf(id: string): Wire {
  return {
    headers: { ...eventStream, "x-vercel-ai-ui-message-stream": "v1" },
    begin: event({ type: "start", messageId: id }) + event({ type: "text-start", id: "text" }),
    delta: (delta) => event({ type: "text-delta", id: "text", delta }),
    source: (n) =>
      event({
        type: "source-url",
        sourceId: String(n),
        url: `https://example.com/page-${n}#place`,
        title: `Страница ${n}`,
        providerMetadata: { nitka: { n, quote: `Предложение страницы ${n}.`, heading: `Раздел ${n}` } },
      }),
    end: `${event({ type: "text-end", id: "text" })}${event({ type: "finish" })}data: [DONE]\n\n`,
  };
}

/** Splits a text into pieces. A citation precedes each but the first, spread over the text, after words of its sentences. */
function withCitations(text: string, count: number): readonly string[] {
  const ends = [...text.matchAll(/[а-яa-z](?=[.,;:] [а-яА-Яa-zA-Z])/g)].map(({ index }) => index + 1);
  const places = Array.from({ length: count }, (_, n) => ends[Math.floor((n * ends.length) / count)] ?? 0);
  return [0, ...places].map((from, n) => text.slice(from, places[n]));
}

async function stream(wire: Wire, body: string, response: ServerResponse): Promise<void> {
  // Only the last question counts, because some chats send the whole conversation.
  const [, chars = "1000", burst, citations = "0"] =
    [...body.matchAll(/Ответ (\d+)( сразу)?(?: с источниками (\d+))?/g)].at(-1) ?? [];
  const answer = `${answerOf(Number(chars))}\n\n${endOf(Number(chars))}`;
  const frames: string[] = [];
  for (const [n, text] of withCitations(answer, Number(citations)).entries()) {
    if (n > 0) frames.push(`${wire.source?.(n) ?? ""}${wire.delta(` [${n}]`)}`);
    frames.push(...deltasOf(text).map(wire.delta));
  }
  response.writeHead(200, wire.headers);
  response.write(wire.begin);
  const each = burst === undefined ? 4 : frames.length;
  const start = performance.now();
  for (let from = 0; from < frames.length && !response.destroyed; from += each) {
    const wait = start + from * 4 - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    response.write(frames.slice(from, from + each).join(""));
  }
  response.end(wire.end);
}

function send(response: ServerResponse, extension: string, file: Buffer): void {
  const type = types[extension] ?? "application/octet-stream";
  response.writeHead(200, { "content-type": type, "content-encoding": "br", "content-length": file.length }).end(file);
}
