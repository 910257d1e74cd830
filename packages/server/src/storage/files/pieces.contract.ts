import type { Pieces } from "../storage.ts";

/** Bytes in pieces whose size matches no chunk size. */
export async function* piecesOf(bytes: Uint8Array, size = 100_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** All bytes of a file. */
export async function bytesOf(pieces: Pieces | undefined): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces ?? []) all.push(Uint8Array.from(piece));
  return Buffer.concat(all);
}
