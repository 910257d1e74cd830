import type { FrameSink } from "../services/frame-sink.ts";
import type { NodeBindings } from "./bindings.ts";
import { streamResponse } from "./sse-response.ts";

export interface PiecesOptions {
  /** For how long a reader may take nothing before it is cut off, in milliseconds. */
  readonly slowMs: number;
  /** Told why the pieces ended before they should: the reader sees the connection break. */
  readonly onError: (error: unknown) => void;
}

/** A body in pieces. The next one is read when the connection has taken those before, or nearly. */
export function piecesResponse(
  bindings: NodeBindings,
  head: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
  pieces: AsyncIterable<string | Uint8Array>,
  { slowMs, onError }: PiecesOptions,
): Response {
  return streamResponse(bindings, head, (sink) => {
    send(sink, pieces, slowMs).catch((error: unknown) => {
      sink.drop();
      onError(error);
    });
  });
}

async function send(sink: FrameSink, pieces: AsyncIterable<string | Uint8Array>, slowMs: number): Promise<void> {
  for await (const piece of pieces) {
    if (sink.write(piece) || (await sink.room(slowMs))) continue;
    sink.drop();
    return;
  }
  sink.end();
}
