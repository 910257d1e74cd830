import { ChatError } from "../chat-error.ts";

/**
 * The bytes of a request's body.
 *
 * @param limit bytes beyond which it is refused, as early as that is known
 * @param sentence what the refusal says
 */
export async function readBody(request: Request, limit: number, sentence: string): Promise<Uint8Array> {
  requirePlainBody(request);
  const length = request.headers.get("content-length");
  if (length !== null) {
    if (Number(length) > limit) throw new ChatError("payload_too_large", sentence);
    // A body whose length is announced ends there: it can be taken at one go.
    const bytes = await whole(request);
    if (bytes.length > limit) throw new ChatError("payload_too_large", sentence);
    return bytes;
  }
  return request.body ? readUpTo(request.body, limit, sentence) : new Uint8Array();
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

async function readUpTo(body: ReadableStream<Uint8Array>, limit: number, sentence: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return concat(pieces, size);
      size += value.length;
      if (size > limit) throw new ChatError("payload_too_large", sentence);
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
