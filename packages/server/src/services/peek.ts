import type { Pieces } from "../storage/storage.ts";

/** A file whose beginning was read. */
export interface Peeked {
  readonly head: Uint8Array;
  /** Whether the head is the whole file. */
  readonly whole: boolean;
  /** All bytes, with the head's. Can be read once. */
  readonly pieces: Pieces;
}

/** Reads the first `bytes` of a file, or all of a shorter one. The rest is read on demand. */
export async function peek(pieces: Pieces, bytes: number): Promise<Peeked> {
  const rest = pieces[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let size = 0;
  let whole = false;
  while (size < bytes && !whole) {
    const next = await rest.next();
    if (next.done) whole = true;
    else {
      // A copy, because the source may use the same memory for its next piece.
      first.push(Uint8Array.from(next.value));
      size += next.value.length;
    }
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      yield* first.splice(0);
      for (;;) {
        const next = await rest.next();
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await rest.return?.();
    }
  }
  return { head: Buffer.concat(first), whole, pieces: all() };
}
