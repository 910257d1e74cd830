import { ChatError } from "../chat-error.ts";
import type { HeldBytes } from "../services/byte-budget.ts";

/** Up to here a body is not counted: calls that need few bytes are answered also when others hold all that may be held. */
const SMALL_BYTES = 65_536;

/** A body becomes a text, and the text a value: two of the three are there at one time. */
const COPIES = 2;

/**
 * The bytes of a request's body.
 *
 * @param limit bytes beyond which it is refused, as early as that is known
 * @param sentence what the refusal says
 * @param held takes up what the body holds of the memory
 */
export async function readBody(
  request: Request,
  limit: number,
  sentence: string,
  held: HeldBytes,
): Promise<Uint8Array> {
  requirePlainBody(request);
  const length = request.headers.get("content-length");
  if (length !== null) {
    if (Number(length) > limit) throw new ChatError("payload_too_large", sentence);
    // A body whose length is announced ends there: a small one can be taken at one go.
    if (Number(length) <= SMALL_BYTES) return whole(request);
  }
  return request.body ? readUpTo(request.body, limit, sentence, held) : new Uint8Array();
}

/** A compressed body could become any size. */
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
  held: HeldBytes,
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
        held.add(COPIES * (size - counted));
        counted = size;
      }
      pieces.push(value);
    }
  } catch (error) {
    throw error instanceof ChatError ? error : cutOff(error);
  } finally {
    // Not cancelled: that would break the connection, and the refusal could not be read.
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
