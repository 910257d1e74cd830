/** A real HTTP server that plays the bytes of a response, cut into pieces as a test requires. */
import { createServer } from "node:http";
import type { IncomingMessage, RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { constants, createGzip } from "node:zlib";
import { afterAll, beforeAll } from "vitest";
import { systemClock } from "../clock.ts";
import type { Clock } from "../clock.ts";

export interface PlayedResponse {
  /** Default: 200. */
  readonly status?: number;
  /** Default: `text/event-stream`. */
  readonly type?: string;
  readonly body: string;
  /** Whether the body is compressed, as proxies do. Each piece can be decoded as soon as it arrives. */
  readonly encoding?: "gzip" | undefined;
  /** Where the body is cut into pieces, in bytes. Default: nowhere. */
  readonly cuts?: readonly number[];
  /** How the response ends: with its body, with a broken connection, or never. */
  readonly end?: "close" | "break" | "hold";
}

export interface PlayedUpstream {
  /** The bodies of the requests since the last call of `play`. */
  readonly asked: readonly unknown[];
  play(...next: readonly PlayedResponse[]): string;
}

/**
 * One server for a test file. `play` sets the responses to the following requests, the last one for all further
 * requests, and returns the base URL.
 */
export function playedUpstream(): PlayedUpstream {
  const responses: PlayedResponse[] = [];
  const asked: unknown[] = [];
  const server = serverForFile((request, response) => {
    const {
      status = 200,
      type = "text/event-stream",
      body,
      encoding,
      cuts = [],
      end = "close",
    } = (responses.length > 1 ? responses.shift() : responses[0]) ?? nothing;
    void (async () => {
      asked.push(JSON.parse(await textOf(request)));
      response.writeHead(status, { "content-type": type, ...(encoding && { "content-encoding": encoding }) });
      response.socket?.setNoDelay(true);
      const bytes = Buffer.from(body);
      const compressed = createGzip({ flush: constants.Z_SYNC_FLUSH });
      compressed.on("data", (piece: Buffer) => response.write(piece));
      let from = 0;
      for (const to of [...cuts, bytes.length]) {
        (encoding ? compressed : response).write(bytes.subarray(from, to));
        from = to;
        await setImmediate();
      }
      if (encoding) await promisify(compressed.end.bind(compressed))();
      if (end === "break") response.destroy();
      else if (end === "close") response.end();
    })();
  });
  return {
    asked,
    play(...next: readonly PlayedResponse[]): string {
      responses.splice(0, responses.length, ...next);
      asked.length = 0;
      return server.url();
    },
  };
}

const nothing: PlayedResponse = { status: 500, body: "Nothing is played" };

/** A clock that does not wait between two attempts of a request. */
export const hastyClock: Clock = {
  now: () => systemClock.now(),
  after: (ms, callback) => systemClock.after(ms < 5_000 ? 0 : ms, callback),
};

/** A server that listens while the tests of a file run. */
export function serverForFile(answer: RequestListener) {
  const server = createServer(answer);
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  return { url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of request) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces).toString();
}

/** The positions that cut bytes into pieces of one byte, of a fixed length, or of any length up to 40. */
export function cutsOf(bytes: number, pieces: "single bytes" | "any length" | number): readonly number[] {
  const cuts: number[] = [];
  // A fixed pseudo-random sequence, so that a failure is repeatable.
  let seed = bytes;
  for (let at = 0; at < bytes;) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    at += pieces === "any length" ? 1 + (seed % 40) : pieces === "single bytes" ? 1 : pieces;
    if (at < bytes) cuts.push(at);
  }
  return cuts;
}
