import type { ByteRange } from "../storage/storage.ts";

/**
 * The one range of bytes that a request asks for: players of sound and film insist on it. Several ranges, those of
 * another version, and what makes no sense are answered with everything, as RFC 9110 allows.
 *
 * @param size of the whole, in bytes
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
