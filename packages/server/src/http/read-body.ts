import { ChatError } from "../chat-error.ts";
import type { ByteReservation } from "../services/byte-budget.ts";

/** A body of at most this many bytes is not counted, so that small requests work while the byte budget is used up. */
const SMALL_BYTES = 65_536;

/** Bytes become a text, and the text a value: two of the three are in memory at one time. */
const COPIES = 2;

/**
 * The bytes of a request's body.
 *
 * @param limit bytes beyond which it is refused, as early as that is known
 * @param sentence the message of the refusal
 * @param reservation counts the memory that the body takes
 * @throws ChatError `payload_too_large`, `unsupported_media_type`, `overloaded`, or `bad_request` for a body that breaks off
 */
export async function readBody(
  request: Request,
  limit: number,
  sentence: string,
  reservation: ByteReservation,
): Promise<Uint8Array> {
  requirePlainBody(request);
  const length = request.headers.get("content-length");
  if (length !== null) {
    if (Number(length) > limit) throw new ChatError("payload_too_large", sentence);
    // Node takes no more bytes than were announced, so a small body needs no counting.
    if (Number(length) <= SMALL_BYTES) return whole(request);
  }
  return request.body ? readUpTo(request.body, limit, sentence, reservation) : new Uint8Array();
}

/** A compressed body could become any size, so it is refused. */
export function requirePlainBody(request: Request): void {
  const encoding = request.headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw new ChatError("unsupported_media_type", "The body must not be compressed (no Content-Encoding).");
  }
}

async function whole(request: Request): Promise<Uint8Array> {
  try {
    return new Uint8Array(await request.arrayBuffer());
  } catch (cause) {
    throw cutOff(cause);
  }
}

async function readUpTo(
  body: ReadableStream<Uint8Array>,
  limit: number,
  sentence: string,
  reservation: ByteReservation,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let counted = 0;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return concat(pieces, size);
      size += value.length;
      if (size > limit) throw new ChatError("payload_too_large", sentence);
      if (size > SMALL_BYTES) {
        reservation.add(COPIES * (size - counted));
        counted = size;
      }
      pieces.push(value);
    }
  } catch (error) {
    throw error instanceof ChatError ? error : cutOff(error);
  } finally {
    // Not `cancel`: it would close the connection before the client could read the refusal.
    reader.releaseLock();
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

function cutOff(cause: unknown): ChatError {
  return new ChatError("bad_request", "The body broke off before its end.", { cause });
}
