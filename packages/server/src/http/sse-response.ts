/** Event streams as answers: written straight to the Node response where there is one, else through a web stream. */
import { ServerResponse } from "node:http";
import type { FrameSink } from "../services/frame-sink.ts";
import type { NodeBindings } from "./bindings.ts";

/** Bytes that may wait in a reader's connection before it counts as full. */
const FULL = 256 * 1024;

export const sseHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
  "x-vercel-ai-ui-message-stream": "v1",
};

/** @param start gets the reader's sink as soon as the headers are on their way */
export function sseResponse(
  bindings: NodeBindings,
  headers: Readonly<Record<string, string>>,
  start: (sink: FrameSink) => void,
): Response {
  return streamResponse(bindings, { status: 200, headers: { ...headers, ...sseHeaders } }, start);
}

/** A response that is written bit by bit, as fast as its reader reads. */
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

/** Tells the Node adapter that the response is written already. */
function alreadySent(): Response {
  const response = new Response(null, { headers: { "x-hono-already-sent": "true" } });
  // The adapter's own, lightweight Response would be written again unless it has been made a real one: this does it.
  void response.body;
  return response;
}

function nodeSink(outgoing: ServerResponse): FrameSink {
  const closed = onceClosed();
  outgoing.once("close", closed.close);
  // A socket that is reset is closed, too: that is all there is to know.
  outgoing.on("error", closed.close);
  return {
    write(piece) {
      if (closed.now()) return false;
      writeChunk(outgoing, piece);
      return outgoing.writableLength <= FULL;
    },
    room: (ms) =>
      outgoing.writableLength <= FULL
        ? Promise.resolve(!closed.now())
        : firstOf(ms, closed, (there) => {
            // Of whichever was written to: one whose socket was not its own yet says so itself.
            const writers = [outgoing, ...(outgoing.socket ? [outgoing.socket] : [])];
            for (const writer of writers) writer.once("drain", there);
            return () => {
              for (const writer of writers) writer.off("drain", there);
            };
          }),
    end: () => void outgoing.end(),
    drop: () => void outgoing.destroy(),
    onClose: closed.listen,
  };
}

/**
 * Writes a chunk of HTTP's chunked coding (RFC 9112, section 7.1). Events are as small as they are many: left to Node, each
 * is three buffers, one tick later, and a quarter of its cost.
 */
function writeChunk(outgoing: ServerResponse, piece: string | Uint8Array): void {
  const { socket } = outgoing;
  // A response waits for its turn on a connection on which requests came before their answers.
  const mayWrite = socket !== null && outgoing.chunkedEncoding && outgoing.writableLength === socket.writableLength;
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
  const closed = onceClosed();
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
      cancel: () => closed.close(),
    },
    { highWaterMark: FULL, size: (bytes) => bytes.length },
  );
  const hasRoom = () => (controller?.desiredSize ?? 0) > 0;
  start({
    write(piece) {
      if (closed.now()) return false;
      controller?.enqueue(typeof piece === "string" ? utf8.encode(piece) : piece);
      return hasRoom();
    },
    room: (ms) =>
      hasRoom()
        ? Promise.resolve(!closed.now())
        : firstOf(ms, closed, (there) => {
            roomListeners.add(there);
            return () => roomListeners.delete(there);
          }),
    end() {
      if (closed.now()) return;
      controller?.close();
      closed.close();
    },
    drop() {
      if (closed.now()) return;
      controller?.error(new Error("The reader was too slow, or the server is closing: join the run again."));
      closed.close();
    },
    onClose: closed.listen,
  });
  return new Response(body, { status, headers });
}

interface Closed {
  readonly now: () => boolean;
  readonly close: () => void;
  /** Returns its stop. */
  readonly listen: (listener: () => void) => () => void;
}

function onceClosed(): Closed {
  const listeners = new Set<() => void>();
  let over = false;
  return {
    now: () => over,
    close() {
      if (over) return;
      over = true;
      for (const listener of listeners) listener();
      listeners.clear();
    },
    listen(listener) {
      if (over) listener();
      else listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** True when there is room, false when the time is up or the reader gone, whichever comes first. */
function firstOf(ms: number, closed: Closed, onRoom: (there: () => void) => () => unknown): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (room: boolean) => {
      clearTimeout(timer);
      stopWaiting();
      stopListening();
      resolve(room);
    };
    const timer = setTimeout(() => settle(false), ms);
    const stopWaiting = onRoom(() => settle(true));
    const stopListening = closed.listen(() => settle(false));
  });
}
