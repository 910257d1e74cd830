/** Files that stand in a text: as a data URL (RFC 2397), or as bare base64. */

export interface InlineFile {
  /** Without parameters. */
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Whether the text is what it should be, to its end: looks at all of it. */
  readonly isWhole: () => boolean;
  readonly bytes: () => Uint8Array;
  /** The same bytes in pieces. */
  readonly pieces: () => AsyncGenerator<Uint8Array>;
}

/** Characters that are decoded at one go: whole groups of base64. */
const PIECE_CHARS = 262_144;

/** Characters of a file without base64: each escape is looked at by itself, which takes time. */
const MAX_ESCAPED_CHARS = 100_000;

/**
 * The file in a data URL; `undefined` for every other address, and for a long one that is not in base64.
 *
 * @example fileOfDataUrl("data:text/plain;base64,SGk=")?.size // 2
 */
export function fileOfDataUrl(url: string): InlineFile | undefined {
  const comma = url.indexOf(",");
  if (!isDataUrl(url) || comma < 0) return undefined;
  const [type = "", ...parameters] = url.slice("data:".length, comma).split(";");
  const contentType = type.trim().toLowerCase() || "text/plain";
  const body = url.slice(comma + 1);
  if (parameters.at(-1)?.trim().toLowerCase() === "base64") return fileOfBase64(body, contentType);
  return body.length > MAX_ESCAPED_CHARS ? undefined : fileOfEscaped(body, contentType);
}

/** Schemes are the same in both cases. */
export function isDataUrl(url: string): boolean {
  return /^data:/i.test(url);
}

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

/** Bytes as characters, and `%` with two hexadecimal digits for those that cannot stand there. */
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

/** What has to be told as bytes: escapes, and characters that take more than one. */
const ESCAPES = /%([0-9A-F]{2})|\P{ASCII}+/giu;

function decoded(text: string, digits: string | undefined): string {
  return digits === undefined ? Buffer.from(text).toString("latin1") : String.fromCharCode(Number.parseInt(digits, 16));
}
