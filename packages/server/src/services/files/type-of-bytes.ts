/** Detects the MIME type of a file from its bytes. */
import { mimeEssence } from "@nitka/protocol/mime-type";

/** The two tokens of a type (RFC 6838, section 4.2). Other characters could not be sent in a header. */
const MIME_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/;

/**
 * The MIME type of a file: the claimed type, unless it is missing or the bytes contradict it.
 *
 * @returns `undefined` when the bytes have another type than the claimed one
 */
export function typeOfBytes(contentType: string, name: string, bytes: Uint8Array): string | undefined {
  const essence = mimeEssence(contentType);
  const claimed = MIME_TYPE.test(essence) ? essence : "";
  const detected = signatures.find(({ matches }) => matches(bytes))?.type;
  if (claimed === "" || claimed === "application/octet-stream") {
    return detected ?? (isText(bytes) ? textTypeOf(name) : "application/octet-stream");
  }
  const hasSignature = signatures.some(({ type }) => type === claimed);
  if (hasSignature) return detected === claimed ? claimed : undefined;
  // A program or an archive that claims to be text must not reach a model as text.
  if (claimed.startsWith("text/") && !isText(bytes)) return undefined;
  return claimed;
}

interface Signature {
  readonly type: string;
  readonly matches: (bytes: Uint8Array) => boolean;
}

const signatures: readonly Signature[] = [
  { type: "image/png", matches: (bytes) => startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  { type: "image/jpeg", matches: (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff]) },
  { type: "image/gif", matches: (bytes) => startsWith(bytes, codes("GIF8")) },
  {
    type: "image/webp",
    matches: (bytes) => startsWith(bytes, codes("RIFF")) && startsWith(bytes.subarray(8), codes("WEBP")),
  },
  { type: "application/pdf", matches: (bytes) => startsWith(bytes, codes("%PDF-")) },
];

function startsWith(bytes: Uint8Array, head: readonly number[]): boolean {
  return head.every((byte, index) => bytes[index] === byte);
}

function codes(text: string): readonly number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}

/**
 * Whether the beginning contains no control characters except white space and ESC: texts in UTF-8 and in one-byte
 * encodings contain no others.
 */
function isText(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, 8_192).some((byte) => byte < 9 || (byte > 13 && byte < 27));
}

function textTypeOf(name: string): string {
  const ending = /\.([^.]+)$/.exec(name.toLowerCase())?.[1];
  return (ending === undefined ? undefined : textTypes[ending]) ?? "text/plain";
}

const textTypes: Readonly<Record<string, string>> = {
  csv: "text/csv",
  htm: "text/html",
  html: "text/html",
  md: "text/markdown",
};
