/** A file that travels inside a message. */
export interface DataUrl {
  /** Without parameters. */
  readonly contentType: string;
  /** Base64. */
  readonly data: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Reads a data URL in base64, as browsers make them.
 *
 * @returns `undefined` for what is none, or is not whole
 *
 * @example parseDataUrl("data:text/plain;base64,SGk=") // { contentType: "text/plain", data: "SGk=", size: 2 }
 */
export function parseDataUrl(url: string): DataUrl | undefined {
  const comma = url.indexOf(",");
  if (!url.startsWith("data:") || comma < 0) return undefined;
  const [contentType = "", ...parameters] = url.slice("data:".length, comma).split(";");
  if (parameters.at(-1)?.trim().toLowerCase() !== "base64") return undefined;
  const data = url.slice(comma + 1);
  const size = sizeOfBase64(data);
  return size === undefined ? undefined : { contentType: contentType.trim().toLowerCase() || "text/plain", data, size };
}

/** Bytes of a text in base64; `undefined` when it is none. */
export function sizeOfBase64(data: string): number | undefined {
  if (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(data)) return undefined;
  const padding = data.endsWith("==") ? 2 : Number(data.endsWith("="));
  return (data.length / 4) * 3 - padding;
}

/** Characters that are decoded at one go: whole groups of base64. */
const PIECE_CHARS = 262_144;

/** Bytes of a data URL's base64, in pieces. */
export async function* piecesOfBase64(data: string): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < data.length; start += PIECE_CHARS) {
    yield bytesOfBase64(data.slice(start, start + PIECE_CHARS));
  }
}

/** Bytes of a data URL's base64. */
export function bytesOfBase64(data: string): Uint8Array {
  return Uint8Array.from(Buffer.from(data, "base64"));
}
