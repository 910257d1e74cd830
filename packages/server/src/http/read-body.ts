import { ChatError } from "../chat-error.ts";
import type { ByteReservation } from "../services/files/byte-budget.ts";
import { pacedBody, smallBody } from "./paced-body.ts";

/** Bodies up to this size are not counted, so that small requests work while the byte budget is used up. */
const SMALL_BYTES = 65_536;

/** Bytes become a text, and the text becomes a value: two of the three are in memory at one time. */
export const COPIES = 2;

/** What a body may use of the server while it arrives. */
export interface BodyAllowance {
  /** Accounts for the memory of the body. */
  readonly reservation: ByteReservation;
  /** See `Timings`. */
  readonly slowBodyMs: number;
}

/**
 * The bytes of a request's body.
 *
 * @param limit the most bytes; a larger body is refused as early as possible
 * @param sentence the message of the refusal
 * @throws ChatError `payload_too_large`, `unsupported_media_type`, `overloaded`, `request_timeout`, or `bad_request`
 * for a body that breaks off
 */
export async function readBody(
  request: Request,
  limit: number,
  sentence: string,
  { reservation, slowBodyMs }: BodyAllowance,
): Promise<Uint8Array> {
  requirePlainBody(request);
  const length = lengthOf(request);
  if (length !== undefined && length > limit) throw new ChatError("payload_too_large", sentence);
  // Node accepts no more bytes than announced, so a small body need not be counted.
  if (isSmall(request)) return smallBody(request, slowBodyMs);
  const body = pacedBody(request.body, slowBodyMs);
  const pieces: Uint8Array[] = [];
  let size = 0;
  let counted = 0;
  try {
    for (let piece = await body.read(); piece; piece = await body.read()) {
      size += piece.length;
      if (size > limit) throw new ChatError("payload_too_large", sentence);
      if (size > SMALL_BYTES) {
        reservation.add(COPIES * (size - counted));
        counted = size;
      }
      pieces.push(piece);
    }
    return concat(pieces, size);
  } finally {
    body.release();
  }
}

/** Whether the announced length of the body is at most `SMALL_BYTES`. */
export function isSmall(request: Request): boolean {
  return (lengthOf(request) ?? Infinity) <= SMALL_BYTES;
}

/** The announced length of the body in bytes; `undefined` for a chunked body. */
function lengthOf(request: Request): number | undefined {
  const length = request.headers.get("content-length");
  return length === null ? undefined : Number(length);
}

/** A compressed body could expand to any size, so it is refused. */
export function requirePlainBody(request: Request): void {
  const encoding = request.headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw new ChatError("unsupported_media_type", "The body must not be compressed (no Content-Encoding).");
  }
}

function concat(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
