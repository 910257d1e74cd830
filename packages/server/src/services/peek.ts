import type { Pieces } from "../storage/storage.ts";

/** The beginning of a file that is still coming. */
export interface Peeked {
  readonly head: Uint8Array;
  /** Whether the head is the whole file. */
  readonly whole: boolean;
  /** All bytes, the head's too: to be read once. */
  readonly pieces: Pieces;
}

/** Waits for the first `bytes` of a file, or for all of a shorter one. What follows is read as it is asked for. */
export async function peek(pieces: Pieces, bytes: number): Promise<Peeked> {
  const rest = pieces[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let size = 0;
  let whole = false;
  while (size < bytes && !whole) {
    const next = await rest.next();
    if (next.done) whole = true;
    else {
      // A copy: the piece may be used again for what follows.
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
