import type { ByteRange } from "../storage/storage.ts";

/**
 * The range of bytes that a request asks for (RFC 9110, section 14). Browsers play audio and video only through ranges.
 *
 * @param size the size of the whole file, in bytes
 * @returns `undefined` for the whole file: without a range, for several ranges, for a range of another version
 * (`If-Range`), and for one that cannot be satisfied. The RFC allows to ignore such a header.
 *
 * @example
 * // Range: bytes=0-99
 * readRange(request, 1_000, etag); // { start: 0, end: 100 }
 * // Range: bytes=-100
 * readRange(request, 1_000, etag); // { start: 900, end: 1_000 }
 */
export function readRange(request: Request, size: number, etag: string): ByteRange | undefined {
  const condition = request.headers.get("if-range");
  if (condition !== null && condition !== etag) return undefined;
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.get("range") ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  return start < end ? { start, end } : undefined;
}
