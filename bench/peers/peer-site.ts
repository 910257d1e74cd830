/** One server for the widget and the peers: their files, compressed alike, and one answer in the protocol of each. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { answerOf, deltasOf } from "../front/answer-text.ts";
import { apiAnswerOf } from "./peer-apis.ts";
import type { Wire } from "./wires.ts";

export interface PeerSite {
  readonly origin: string;
  close(): Promise<void>;
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

/** The question to which the answer has so many characters. */
export function questionFor(characters: number): string {
  return `Ответ ${characters}`;
}

/** What the answer of so many characters ends with, and no other. */
export function endOf(characters: number): string {
  return `Конец ответа ${characters}.`;
}

/** @param folders where the built widget and the built pages of the peers are */
export async function startPeerSite(folders: { readonly widget: string; readonly peers: string }): Promise<PeerSite> {
  const compressed = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://site");
    const { pathname } = url;
    if (pathname.startsWith("/widget/")) return sendFile(response, join(folders.widget, normalize(pathname.slice(7))));
    if (pathname.startsWith("/peers/")) {
      const path = normalize(pathname.slice(6));
      return sendFile(response, join(folders.peers, path.endsWith("/") ? `${path}index.html` : path));
    }
    if (pathname.startsWith("/api/")) {
      const body = await textOf(request);
      const answered = apiAnswerOf(request.method ?? "GET", url, body);
      if ("wire" in answered) return stream(answered.wire, body, response);
      return void response.writeHead(200, { "content-type": answered.type }).end(answered.text);
    }
    if (!pathname.startsWith("/c/")) return void response.writeHead(404).end();
    send(response, ".html", brotliCompressSync(ourPage));
  }

  async function sendFile(response: ServerResponse, path: string): Promise<void> {
    const file = compressed.get(path) ?? (await readFile(path).then(brotliCompressSync, () => undefined));
    if (!file) return void response.writeHead(404).end();
    compressed.set(path, file);
    send(response, extname(path), file);
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

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function stream(wire: Wire, body: string, response: ServerResponse): Promise<void> {
  // The last question: some peers send the conversation along.
  const characters = Number([...body.matchAll(/Ответ (\d+)/g)].at(-1)?.[1] ?? 1000);
  const frames = deltasOf(`${answerOf(characters)}\n\n${endOf(characters)}`).map(wire.delta);
  response.writeHead(200, wire.headers);
  response.write(wire.begin);
  const start = performance.now();
  for (let from = 0; from < frames.length && !response.destroyed; from += 4) {
    const wait = start + from * 4 - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    response.write(frames.slice(from, from + 4).join(""));
  }
  response.end(wire.end);
}

function send(response: ServerResponse, extension: string, file: Buffer): void {
  const type = types[extension] ?? "application/octet-stream";
  response.writeHead(200, { "content-type": type, "content-encoding": "br", "content-length": file.length }).end(file);
}
