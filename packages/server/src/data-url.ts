/** Files inside of a text: as a data URL (RFC 2397), or as base64. */
import { parseDataUrl } from "@nitka/protocol/data-url";

export interface InlineFile {
  /** Without parameters, in lower case. */
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Whether the base64 is valid to its end. Reads all of it. */
  readonly isWhole: () => boolean;
  readonly bytes: () => Uint8Array;
  /** The same bytes in pieces. */
  readonly pieces: () => AsyncGenerator<Uint8Array>;
}

/** Characters that are decoded at a time: a multiple of 4, the length of a group of base64. */
const PIECE_CHARS = 262_144;

/** The most characters of a file in `%` escapes: each escape is decoded by itself, which is slow. */
const MAX_ESCAPED_CHARS = 100_000;

/**
 * The file of a data URL; `undefined` for every other address, and for more than 100,000 characters in `%` escapes.
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

/** The file of base64, as RFC 4648, section 4, writes it. */
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

/** The file of a text in which `%` and two hexadecimal digits stand for a byte; other characters are UTF-8. */
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

/** What decodes to other bytes than its own: escapes, and characters outside of ASCII. */
const ESCAPES = /%([0-9A-F]{2})|\P{ASCII}+/giu;

function decoded(text: string, digits: string | undefined): string {
  return digits === undefined ? Buffer.from(text).toString("latin1") : String.fromCharCode(Number.parseInt(digits, 16));
}
