import { once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import type { FrameSink } from "../services/runs/frame-sink.ts";
import { streamResponse } from "./sse-response.ts";

let server: Server | undefined;
afterEach(() => server?.close());

/**
 * Each request's path is returned in pieces, one request after the other. Returns what a connection receives for these
 * requests.
 */
async function exchange(requests: string): Promise<string> {
  server = createServer((request, outgoing) => {
    streamResponse({ outgoing }, { status: 200, headers: { date: "" } }, (sink) => {
      void (async () => {
        for (const piece of ["", `ё ${request.url}`, " и", new TextEncoder().encode(" bytes"), " конец"]) {
          sink.write(piece);
          await sleep(5);
        }
        sink.end();
      })();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.setEncoding("utf8");
  socket.write(requests);
  let text = "";
  for await (const piece of socket) text += String(piece);
  return text;
}

/** The bodies of the responses as they arrived, with line breaks as `|`. */
function bodiesOf(text: string): readonly string[] {
  const [, ...responses] = text.split("HTTP/1.1 200 OK\r\n");
  return responses.map((response) => response.slice(response.indexOf("\r\n\r\n") + 4).replaceAll("\r\n", "|"));
}

it("a response streams in chunks, each in its turn, to pipelined requests", async () => {
  const requests = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  expect(bodiesOf(await exchange(requests))).toEqual([
    "5|ё /1|3| и|6| bytes|b| конец|0||",
    "5|ё /2|3| и|6| bytes|b| конец|0||",
  ]);
});

it("a response streams without chunks to an HTTP/1.0 client", async () => {
  expect(bodiesOf(await exchange("GET /1 HTTP/1.0\r\n\r\n"))).toEqual(["ё /1 и bytes конец"]);
});

it("detects that a reader who left before a piece has no room for it, and stops writing", async () => {
  const left = Promise.withResolvers<undefined>();
  const room = Promise.withResolvers<readonly boolean[]>();
  const start = async (sink: FrameSink) => {
    await left.promise;
    return [sink.write("piece"), await sink.waitForRoom(60_000), sink.write("next"), await sink.waitForRoom(60_000)];
  };
  const { body } = streamResponse({}, { status: 200, headers: {} }, (sink) => {
    start(sink).then(room.resolve, room.reject);
  });
  await body?.cancel();
  left.resolve(undefined);
  expect(await room.promise).toEqual([false, false, false, false]);
});
