import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { listenLocally } from "../../scripts/listen-locally.mjs";
import { startNginx } from "../../scripts/start-nginx.mjs";

/** An instance behind nginx, which responds as the test says. */
interface Instance {
  readonly port: number;
  respond: RequestListener;
  readonly close: () => void;
}

let instances: readonly Instance[] = [];
let nginx: Awaited<ReturnType<typeof startNginx>>;

beforeAll(async () => {
  instances = [await startInstance(), await startInstance()];
  nginx = await startNginx(instances.map(({ port }) => port));
});
afterAll(async () => {
  await nginx.stop();
  for (const { close } of instances) close();
});
beforeEach(() => respondWith((_, response) => response.end("ok")));

it("passes on each event when it is written", async () => {
  const written = Promise.withResolvers<ServerResponse>();
  respondWith((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: 1\n\n");
    written.resolve(response);
  });
  const reader = (await fetch(nginx.url)).body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe("data: 1\n\n");
  const response = await written.promise;
  response.write("data: 2\n\n");
  expect((await reader?.read())?.value).toBe("data: 2\n\n");
  response.end();
  expect((await reader?.read())?.done).toBe(true);
});

it("reads an answer at the pace of its reader, so that the server notices a reader that does not read", async () => {
  // More than all buffers of the system on the way.
  const bytes = Buffer.alloc(60_000_000);
  let written = 0;
  respondWith((_, response) => void response.end(bytes, () => (written += 1)));
  const idle = await fetch(nginx.url);
  expect((await (await fetch(nginx.url)).arrayBuffer()).byteLength).toBe(bytes.length);
  // The answer that is read was written, and the one requested before it was not.
  expect(written).toBe(1);
  await idle.body?.cancel();
});

it("sends the instance the visitor's real address, host and scheme, whatever headers the visitor sends", async () => {
  const seen = Promise.withResolvers<IncomingMessage["headers"]>();
  respondWith((request, response) => {
    seen.resolve(request.headers);
    response.end();
  });
  await fetch(nginx.url, { headers: { "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" } });
  expect(await seen.promise).toMatchObject({
    host: new URL(nginx.url).host,
    "x-forwarded-for": "203.0.113.7, 127.0.0.1",
    "x-forwarded-proto": "http",
  });
});

it("sends a question to the other instance if an instance is stopping or missing", async () => {
  const [first, second] = instances;
  if (!first || !second) throw new Error("There are two instances.");
  // nginx alternates: of four requests two reach the instance that refuses, and none may fail.
  const ask = async () => {
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await fetch(nginx.url, { method: "POST", body: "question" })).status);
    return statuses;
  };
  first.respond = (_, response) => response.writeHead(503, { "retry-after": "1" }).end();
  expect(await ask()).toEqual([200, 200, 200, 200]);
  first.respond = (request) => request.socket.destroy();
  expect(await ask()).toEqual([200, 200, 200, 200]);
  // Neither instance is excluded after failures, which is nginx's default.
  second.respond = first.respond;
  first.respond = (_, response) => response.end();
  expect(await ask()).toEqual([200, 200, 200, 200]);
});

it("buffers a whole slow request of up to 16 MB before it connects to an instance", async () => {
  let length = 0;
  respondWith((request, response) => {
    request.on("data", (chunk: Buffer) => (length += chunk.length)).on("end", () => response.end());
  });
  const bytes = 12_000_000;
  const socket = connect(Number(new URL(nginx.url).port), "127.0.0.1");
  const answered = once(socket, "data");
  socket.write(`POST / HTTP/1.1\r\nHost: nitka\r\nContent-Length: ${bytes}\r\n\r\n`);
  await new Promise((resolve) => socket.write(Buffer.alloc(bytes - 1), resolve));
  // Another request overtakes the incomplete one. By then nginx has read parts of both.
  await fetch(nginx.url, { method: "HEAD" });
  expect(length).toBe(0);
  socket.write("!");
  expect(String((await answered)[0])).toMatch(/^HTTP\/1.1 200/);
  expect(length).toBe(bytes);
  socket.destroy();
});

function respondWith(respond: RequestListener): void {
  for (const instance of instances) instance.respond = respond;
}

async function startInstance(): Promise<Instance> {
  const server = createServer((request, response) => instance.respond(request, response));
  const instance: Instance = {
    port: await listenLocally(server),
    respond: (_, response) => response.end(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return instance;
}
