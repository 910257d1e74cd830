/** A real HTTP server that follows a script, for the tests of the HTTP transport. */
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { encodeSse, DONE } from "@nitka/protocol/sse";
import { HttpError } from "./http-error.ts";
import { respondScripted } from "./scripted-routes.ts";
import type { Script } from "./scripted-transport.ts";
import { createScriptedTransport } from "./scripted-transport.ts";
import type { RunStream, Transport } from "./transport.ts";

/** A request as the server received it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<IncomingMessage["headers"]>;
  readonly body: string;
}

export interface ScriptedServer {
  readonly origin: string;
  readonly seen: readonly SeenRequest[];
  close(): Promise<void>;
}

export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  let ids = 0;
  const backend = createScriptedTransport({
    script,
    features: { resume: true, cancel: true, upload: true, branch: true },
    now: () => new Date(2026, 10, 21, 12),
    newId: () => `new${(ids += 1)}`,
  });
  const server = createServer((request, response) => {
    void bodyOf(request).then(async (body) => {
      const { method = "", url = "", headers } = request;
      seen.push({ method, url, headers, body });
      await respond(backend, { method, url, headers, body }, response).catch((error: unknown) => fail(response, error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(backend: Transport, request: SeenRequest, response: ServerResponse): Promise<void> {
  const controller = new AbortController();
  response.on("close", () => controller.abort());
  const result = await respondScripted(backend, request, controller.signal);
  return result.type === "stream" ? stream(response, result.run) : send(response, result.value);
}

async function stream(response: ServerResponse, run: RunStream | undefined): Promise<void> {
  if (!run) return void response.writeHead(204).end();
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  try {
    for (;;) {
      const { value, done } = await run.next();
      if (done) return void response.end(value ? encodeSse(DONE) : undefined);
      response.write(encodeSse(JSON.stringify(value.event), value.id));
    }
  } catch {
    return void response.destroy();
  }
}

function send(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value ?? {}));
}

function fail(response: ServerResponse, error: unknown): void {
  const { status, code } = error instanceof HttpError ? error : { status: 500, code: "broken" };
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { code, message: "сломалось" } }));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of request) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces).toString();
}
