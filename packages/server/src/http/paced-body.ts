import { ChatError } from "../chat-error.ts";
import { LATE, within } from "../services/waiting/within.ts";

/**
 * A client that uploads must send this many bytes, or the end of the body, in each `slowBodyMs` that the server waits
 * for it.
 */
const MIN_BYTES = 65_536;

export interface PacedBody {
  /**
   * Reads the next bytes; `undefined` at the end.
   *
   * @throws ChatError `request_timeout` when the client sends too slowly, `bad_request` when the body breaks off
   */
  readonly read: () => Promise<Uint8Array | undefined>;
  /**
   * Leaves the rest of the body unread. It does not cancel: that would close the connection before a refusal can be
   * read.
   */
  readonly release: () => void;
}

/**
 * A body whose bytes must arrive at a minimum rate, so that idle connections cannot hold memory. The time between reads
 * does not count: the server causes it.
 */
export function pacedBody(body: ReadableStream<Uint8Array> | null, slowBodyMs: number): PacedBody {
  const reader = body?.getReader();
  let bytes = 0;
  let waitedMs = 0;
  return {
    async read() {
      if (!reader) return undefined;
      const since = performance.now();
      const { done, value } = await withinPace(reader.read(), slowBodyMs - waitedMs);
      if (done) return undefined;
      waitedMs += performance.now() - since;
      bytes += value.length;
      if (bytes >= MIN_BYTES) [bytes, waitedMs] = [0, 0];
      return value;
    },
    release: () => reader?.releaseLock(),
  };
}

/** All of a body whose announced length is at most `MIN_BYTES`. */
export async function smallBody(request: Request, slowBodyMs: number): Promise<Uint8Array> {
  return new Uint8Array(await withinPace(request.arrayBuffer(), slowBodyMs));
}

async function withinPace<T>(bytes: Promise<T>, ms: number): Promise<T> {
  const read = await within(bytes, ms).catch((cause: unknown) => {
    throw new ChatError("bad_request", "The body ended early.", { cause });
  });
  if (read !== LATE) return read;
  throw new ChatError("request_timeout", "The body arrived too slowly, so the server stopped waiting.");
}
