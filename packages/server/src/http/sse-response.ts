/** Streamed responses: written directly to Node's response if there is one, otherwise through a web stream. */
import { ServerResponse } from "node:http";
import type { FrameSink } from "../services/runs/frame-sink.ts";
import type { NodeBindings } from "./node-bindings.ts";

/** The bytes that may wait in a connection before it counts as full. */
const FULL_BYTES = 256 * 1024;

export const sseHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
  "x-vercel-ai-ui-message-stream": "v1",
};

/** @param start gets the connection's sink as soon as the headers are sent */
export function sseResponse(
  bindings: NodeBindings,
  headers: Readonly<Record<string, string>>,
  start: (sink: FrameSink) => void,
): Response {
  return streamResponse(bindings, { status: 200, headers: { ...headers, ...sseHeaders } }, start);
}

/**
 * A response that `start` writes piece by piece, no faster than its reader reads. A middleware may transform the
 * pieces.
 */
export function streamResponse(
  { outgoing }: NodeBindings,
  { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
  start: (sink: FrameSink) => void,
): Response {
  if (!(outgoing instanceof ServerResponse)) return webResponse(status, headers, start);
  outgoing.writeHead(status, headers);
  outgoing.flushHeaders();
  start(nodeSink(outgoing));
  return alreadySent();
}

/** Tells `@hono/node-server` that the response was already written to Node's response. */
function alreadySent(): Response {
  const response = new Response(null, { headers: { "x-hono-already-sent": "true" } });
  // The adapter replaces the global `Response` with a lightweight one, but reads the header only from a real one.
  // Reading `body` turns it into a real one.
  void response.body;
  return response;
}

function nodeSink(outgoing: ServerResponse): FrameSink {
  const closing = createClosing();
  outgoing.once("close", closing.close);
  // A reset socket counts as closed. Without a listener its error would end the process.
  outgoing.on("error", closing.close);
  return {
    write(piece) {
      if (closing.isClosed()) return false;
      writeChunk(outgoing, piece);
      return outgoing.writableLength <= FULL_BYTES;
    },
    waitForRoom: (ms) =>
      outgoing.writableLength <= FULL_BYTES
        ? Promise.resolve(!closing.isClosed())
        : roomWithin(ms, closing, (onDrain) => {
            // `writeChunk` writes to either of the two, so either may emit `drain`.
            const writers = [outgoing, ...(outgoing.socket ? [outgoing.socket] : [])];
            for (const writer of writers) writer.once("drain", onDrain);
            return () => {
              for (const writer of writers) writer.off("drain", onDrain);
            };
          }),
    end: () => void outgoing.end(),
    cutOff: () => void outgoing.destroy(),
    onClose: closing.listen,
  };
}

/**
 * Writes a chunk of HTTP's chunked coding (RFC 9112, section 7.1). Node's own `write` makes three buffers per chunk and
 * writes them a tick later, which is a quarter of the cost of small events.
 */
function writeChunk(outgoing: ServerResponse, piece: string | Uint8Array): void {
  const { socket } = outgoing;
  // A middleware that has replaced `write`, to compress or to measure, must get every chunk. With pipelined requests a
  // response waits for the earlier ones: then Node must queue the chunk.
  const mayWrite =
    outgoing.write === ServerResponse.prototype.write &&
    socket !== null &&
    outgoing.chunkedEncoding &&
    outgoing.writableLength === socket.writableLength;
  if (mayWrite && typeof piece === "string" && piece !== "") {
    socket.write(`${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`);
  } else outgoing.write(piece);
}

function webResponse(
  status: number,
  headers: Readonly<Record<string, string>>,
  start: (sink: FrameSink) => void,
): Response {
  const utf8 = new TextEncoder();
  const closing = createClosing();
  const roomListeners = new Set<() => void>();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      pull() {
        for (const listener of roomListeners) listener();
      },
      cancel: () => closing.close(),
    },
    { highWaterMark: FULL_BYTES, size: (bytes) => bytes.length },
  );
  const hasRoom = () => (controller?.desiredSize ?? 0) > 0;
  start({
    write(piece) {
      if (closing.isClosed()) return false;
      controller?.enqueue(typeof piece === "string" ? utf8.encode(piece) : piece);
      return hasRoom();
    },
    waitForRoom: (ms) =>
      hasRoom()
        ? Promise.resolve(!closing.isClosed())
        : roomWithin(ms, closing, (onPull) => {
            roomListeners.add(onPull);
            return () => roomListeners.delete(onPull);
          }),
    end() {
      if (closing.isClosed()) return;
      controller?.close();
      closing.close();
    },
    cutOff() {
      if (closing.isClosed()) return;
      controller?.error(
        new Error("The reader was too slow, or the server is closing, or the run broke off: join the run again."),
      );
      closing.close();
    },
    onClose: closing.listen,
  });
  return new Response(body, { status, headers });
}

/** The state of a connection, and the listeners for its close. */
interface Closing {
  readonly isClosed: () => boolean;
  readonly close: () => void;
  /**
   * The listener is called once, immediately if the connection is already closed. Returns a function that removes it.
   */
  readonly listen: (listener: () => void) => () => void;
}

function createClosing(): Closing {
  const listeners = new Set<() => void>();
  let isClosed = false;
  return {
    isClosed: () => isClosed,
    close() {
      if (isClosed) return;
      isClosed = true;
      for (const listener of listeners) listener();
      listeners.clear();
    },
    listen(listener) {
      if (isClosed) listener();
      else listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Resolves to true when there is room; to false after `ms` milliseconds or when the connection closes, whichever comes
 * first.
 */
function roomWithin(ms: number, closing: Closing, listen: (onRoom: () => void) => () => unknown): Promise<boolean> {
  if (closing.isClosed()) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = (room: boolean) => {
      clearTimeout(timer);
      stopWaiting();
      stopListening();
      resolve(room);
    };
    const timer = setTimeout(() => settle(false), ms);
    const stopWaiting = listen(() => settle(true));
    const stopListening = closing.listen(() => settle(false));
  });
}
