/** A site with the widget on a page, the calls of the specification behind it, and a page with react-markdown. */
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { Message, Thread } from "@nitka/protocol";
import { answerOf, deltasOf, endWords } from "./answer-text.ts";
import { conversationOf } from "./conversation.ts";

/** What a question asks for, as JSON in its text. */
export interface Order {
  readonly chars: number;
  /** Four deltas every 16 ms, or all of it at once. */
  readonly pace: "paced" | "burst";
}

export interface Site {
  readonly origin: string;
  close(): Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".map": "application/json",
};

const page = `<!doctype html><html lang="ru"><meta charset="utf-8"><title>Нитка</title>
<style>html, body, #chat { height: 100%; margin: 0 }</style>
<div id="chat"></div><script src="/widget/nitka.js"></script><script>Nitka.init({ target: "#chat" })</script></html>`;

/** @param folders where the built widget and the built page with react-markdown lie */
export async function startSite(folders: { readonly widget: string; readonly reactMarkdown: string }): Promise<Site> {
  const threads: Thread[] = [
    { threadId: "empty", title: "Пустая", updatedAt: "2026-11-03T10:00:00Z" },
    { threadId: "t50", title: "Короткая", updatedAt: "2026-11-02T10:00:00Z" },
    { threadId: "t5000", title: "Длинная", updatedAt: "2026-11-01T10:00:00Z" },
  ];
  // As JSON: writing it takes as long as the widget takes to read it, on the processors that are measured.
  const messages: Readonly<Record<string, string>> = {
    t50: JSON.stringify(conversationOf("t50", 50)),
    t5000: JSON.stringify(conversationOf("t5000", 5000)),
  };
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://site");
    const [, threadId, call] =
      /^\/api\/debug\/threads\/([^/]+)\/(messages|run\/stream|archive|rename)$/.exec(pathname) ?? [];
    if (pathname.startsWith("/widget/")) return sendFile(response, join(folders.widget, pathname.slice(8)));
    if (pathname.startsWith("/react-markdown/")) {
      return sendFile(response, join(folders.reactMarkdown, pathname.slice(16) || "index.html"));
    }
    if (pathname.endsWith("/config")) return sendJson(response, {});
    if (pathname === "/api/debug/threads" && request.method === "GET") return sendJson(response, threads);
    if (pathname === "/api/debug/threads") return sendJson(response, threads[0]);
    if (threadId !== undefined && call === "messages") return send(response, messages[threadId] ?? "[]");
    if (call === "run/stream") return stream(request, response);
    if (call !== undefined) return sendJson(response, {});
    response.writeHead(200, { "content-type": types[".html"] }).end(page);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function stream(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString()) as { messages: readonly Message[] };
  const { chars, pace } = orderOf(body.messages[0]);
  const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
  const frames = deltasOf(`${answerOf(chars)}\n\n${endWords}`).map((delta) =>
    event({ type: "text-delta", id: "t", delta }),
  );
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.write(event({ type: "start", messageId: `answer-${Date.now()}` }) + event({ type: "text-start", id: "t" }));
  if (pace === "burst") {
    response.write(frames.join(""));
  } else {
    const start = performance.now();
    for (let from = 0; from < frames.length && !response.destroyed; from += 4) {
      const wait = start + from * 4 - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      response.write(frames.slice(from, from + 4).join(""));
    }
  }
  response.end(`${event({ type: "text-end", id: "t" })}${event({ type: "finish" })}data: [DONE]\n\n`);
}

function orderOf(question: Message | undefined): Order {
  const { content = "" } = question ?? {};
  const text =
    typeof content === "string" ? content : content.map((part) => ("text" in part ? part.text : "")).join("");
  return JSON.parse(text) as Order;
}

function sendJson(response: ServerResponse, value: unknown): void {
  send(response, JSON.stringify(value));
}

function send(response: ServerResponse, json: string): void {
  response.writeHead(200, { "content-type": "application/json" }).end(json);
}

function sendFile(response: ServerResponse, path: string): void {
  if (!existsSync(path)) return void response.writeHead(404).end();
  response.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" });
  createReadStream(path).pipe(response);
}
