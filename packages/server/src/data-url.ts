/** Files inside a text: a data URL (RFC 2397), or base64. */
import { parseDataUrl } from "@nitka/protocol/data-url";

export interface InlineFile {
  /** The MIME type in lower case, without parameters. */
  readonly contentType: string;
  /** The size in bytes. */
  readonly size: number;
  /** Whether the base64 is completely valid. Reads all of it. */
  readonly isWhole: () => boolean;
  readonly bytes: () => Uint8Array;
  /** The same bytes in pieces. */
  readonly pieces: () => AsyncGenerator<Uint8Array>;
}

/** The number of characters decoded at a time: a multiple of 4, the length of a base64 group. */
const PIECE_CHARS = 262_144;

/** The most characters of a file in `%` escapes. Each escape is decoded separately, which is slow. */
const MAX_ESCAPED_CHARS = 100_000;

/**
 * The file of a data URL; `undefined` for every other address, and for more than 100,000 characters of `%` escapes.
 *
 * @example fileOfDataUrl("data:text/plain;base64,SGk=")?.size // 2
 */
export function fileOfDataUrl(url: string): InlineFile | undefined {
  const parts = parseDataUrl(url);
  if (!parts) return undefined;
  const { mimeType, isBase64, body } = parts;
  if (isBase64) return fileOfBase64(body, mimeType);
  return body.length > MAX_ESCAPED_CHARS ? undefined : fileOfEscaped(body, mimeType);
}

/** The file that a base64 text encodes (RFC 4648, section 4). */
export function fileOfBase64(data: string, contentType: string): InlineFile {
  const padding = data.endsWith("==") ? 2 : Number(data.endsWith("="));
  return {
    contentType,
    size: Math.floor(((data.length - padding) * 3) / 4),
    isWhole: () => data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data),
    bytes: () => bytesOfBase64(data),
    async *pieces() {
      for (let start = 0; start < data.length; start += PIECE_CHARS) {
        yield bytesOfBase64(data.slice(start, start + PIECE_CHARS));
      }
    },
  };
}

function bytesOfBase64(data: string): Uint8Array {
  return Uint8Array.from(Buffer.from(data, "base64"));
}

/**
 * The file that an escaped text encodes: `%` and two hexadecimal digits stand for a byte; other characters are UTF-8.
 */
function fileOfEscaped(body: string, contentType: string): InlineFile {
  const bytes = Uint8Array.from(Buffer.from(body.replaceAll(ESCAPES, decoded), "latin1"));
  return {
    contentType,
    size: bytes.length,
    isWhole: () => true,
    bytes: () => bytes,
    async *pieces() {
      yield bytes;
    },
  };
}

/** The characters that do not decode to one byte of their own: escapes, and characters outside of ASCII. */
const ESCAPES = /%([0-9A-F]{2})|\P{ASCII}+/giu;

function decoded(text: string, digits: string | undefined): string {
  return digits === undefined ? Buffer.from(text).toString("latin1") : String.fromCharCode(Number.parseInt(digits, 16));
}
