import type { Pieces } from "../storage.ts";

/** The size of the pieces that a file store reads, in bytes: 256 KiB. */
export const PIECE_BYTES = 262_144;

/** The same bytes in chunks of `size`. The last chunk may be shorter. An empty input gives one empty chunk. */
export async function* inChunks(pieces: Pieces, size: number): AsyncGenerator<Uint8Array> {
  let chunk = new Uint8Array(size);
  let filled = 0;
  let count = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length;) {
      const part = piece.subarray(at, at + size - filled);
      chunk.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled === size) {
        yield chunk;
        count += 1;
        chunk = new Uint8Array(size);
        filled = 0;
      }
    }
  }
  if (filled > 0 || count === 0) yield chunk.subarray(0, filled);
}
