import { mimeEssence } from "./mime-type.ts";

/** The parts of a data URL (RFC 2397). */
export interface DataUrl {
  /** Without parameters; `text/plain` when the URL has no type. */
  readonly mimeType: string;
  /** Whether `body` is base64. Otherwise it is text with `%` escapes. */
  readonly isBase64: boolean;
  readonly body: string;
}

/**
 * The parts of a data URL; `undefined` for every other address. The body is not validated.
 *
 * @example
 * parseDataUrl("data:audio/mpeg;base64,AAAA") // { mimeType: "audio/mpeg", isBase64: true, body: "AAAA" }
 * parseDataUrl("data:,a%20b") // { mimeType: "text/plain", isBase64: false, body: "a%20b" }
 * parseDataUrl("https://a.example/?data:,") // undefined
 */
export function parseDataUrl(url: string): DataUrl | undefined {
  const comma = url.indexOf(",");
  if (comma < 0 || !isDataUrl(url)) return undefined;
  const base64 = base64OfDataUrl(url);
  return {
    mimeType: mimeEssence(url.slice("data:".length, comma)) || "text/plain",
    isBase64: base64 !== undefined,
    body: base64 ?? url.slice(comma + 1),
  };
}

/**
 * The base64 in a data URL; `undefined` for every other address, and for a data URL that is not in base64.
 *
 * @example base64OfDataUrl("data:audio/mpeg;base64,AAAA") // "AAAA"
 */
export function base64OfDataUrl(url: string): string | undefined {
  return /^data:[^,]*;\s*base64\s*,(.*)/is.exec(url)?.[1];
}

/** Whether an address is a data URL, even a malformed one. The case of the scheme does not matter. */
export function isDataUrl(url: string): boolean {
  return /^data:/i.test(url);
}

/**
 * A file as a data URL.
 *
 * @example dataUrlOf("text/plain", "SGk=") // "data:text/plain;base64,SGk="
 */
export function dataUrlOf(mimeType: string, base64: string): string {
  return `data:${mimeType};base64,${base64}`;
}
