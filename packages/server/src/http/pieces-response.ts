import { setImmediate as nextTurn } from "node:timers/promises";
import type { FrameSink } from "../services/runs/frame-sink.ts";
import { PIECES_TURN_MS } from "../services/timings.ts";
import type { NodeBindings } from "./node-bindings.ts";
import { streamResponse } from "./sse-response.ts";

export interface PiecesOptions {
  /** See `Timings`. */
  readonly slowReaderMs: number;
  /** Called with the reason when the response breaks off. The reader then sees a broken connection. */
  readonly onError: (error: unknown) => void;
}

/**
 * A response in pieces. The next piece is read when the connection has room again (backpressure), and after other work
 * had its turn.
 */
export function piecesResponse(
  bindings: NodeBindings,
  head: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
  pieces: AsyncIterable<string | Uint8Array>,
  { slowReaderMs, onError }: PiecesOptions,
): Response {
  return streamResponse(bindings, head, (sink) => {
    send(sink, pieces, slowReaderMs).catch((error: unknown) => {
      sink.cutOff();
      onError(error);
    });
  });
}

async function send(sink: FrameSink, pieces: AsyncIterable<string | Uint8Array>, slowReaderMs: number): Promise<void> {
  let since = performance.now();
  for await (const piece of pieces) {
    if (!sink.write(piece) && !(await sink.waitForRoom(slowReaderMs))) {
      sink.cutOff();
      return;
    }
    if (performance.now() - since < PIECES_TURN_MS) continue;
    await nextTurn();
    since = performance.now();
  }
  sink.end();
}
