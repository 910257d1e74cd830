import { ReadableStream as NodeStream } from "node:stream/web";

/**
 * The most bytes of one message after decompression: enough for a file of 12 MB in base64. The client buffers a message
 * until it is complete, so without a limit one server could exhaust the memory of a process that serves everyone.
 */
const MAX_MESSAGE_BYTES = 16_000_000;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** The server has sent a message that exceeds the limit. The text contains no address, so that visitors may read it. */
export class MessageTooLargeError extends Error {
  constructor() {
    super(`The tool's server sent a message of more than ${MAX_MESSAGE_BYTES / 1_000_000} MB`);
    this.name = "MessageTooLargeError";
  }
}

/**
 * Listeners for what an event stream of an MCP server contains besides responses, which the AI SDK's client does not
 * report.
 */
export interface EventStreamWatcher {
  /** The server has announced a change of its list of tools (MCP, "Tools"). */
  readonly onListChanged: () => void;
  /** The server reports progress of the call that was sent with this token (MCP, "Progress"). */
  readonly onProgress: (token: string) => void;
  /** The stream has ended, or broke off with an error. */
  readonly onEnd: (error?: unknown) => void;
}

/** The prefix of progress tokens, which makes them findable in a stream without parsing it. */
const TOKEN = "nitka-progress-";

/**
 * Some JSON encoders escape the slash. A token must be followed by its quotation mark, so that a cut token does not
 * match.
 */
const NOTICED = new RegExp(String.raw`notifications\\?/tools\\?/list_changed|${TOKEN}\d+(?=")`, "g");
const NOTICED_CHARS = 40;

/** @example progressToken(7) // "nitka-progress-7" */
export function progressToken(number: number): string {
  return TOKEN + number;
}

/**
 * The same response, watched while it is read. It fails with a `MessageTooLargeError` when one of its messages is too
 * large.
 */
export function watchResponse(response: Response, watcher: EventStreamWatcher): Response {
  if (!response.body) return response;
  const { status, statusText, headers } = response;
  const body = isEventStream(response) ? watched(response.body, watcher) : limited(response.body);
  return new Response(NodeStream.from(body) as ReadableStream, { status, statusText, headers });
}

/**
 * Whether the client reads the response event by event. It buffers every other response completely: JSON, and the
 * bodies of failures.
 */
function isEventStream({ ok, headers }: Response): boolean {
  const type = headers.get("content-type") ?? "";
  return ok && type.includes("text/event-stream") && !type.includes("application/json");
}

async function* limited(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const bytes of body) {
    size += bytes.length;
    if (size > MAX_MESSAGE_BYTES) throw new MessageTooLargeError();
    yield bytes;
  }
}

async function* watched(body: AsyncIterable<Uint8Array>, watcher: EventStreamWatcher): AsyncGenerator<Uint8Array> {
  const utf8 = new TextDecoder();
  const event = new EventSize();
  let last = "";
  let failure: unknown;
  try {
    for await (const bytes of body) {
      event.note(bytes);
      // A notification may be cut between two chunks. It must be counted once.
      const text = last + utf8.decode(bytes, { stream: true });
      let read = 0;
      for (const { 0: found, index } of text.matchAll(NOTICED)) {
        if (found.startsWith(TOKEN)) watcher.onProgress(found);
        else watcher.onListChanged();
        read = index + found.length;
      }
      last = text.slice(Math.max(read, text.length - NOTICED_CHARS));
      yield bytes;
    }
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    watcher.onEnd(failure);
  }
}

/** Counts the bytes since the end of the last event, which is an empty line. A line ends with LF, CR LF or CR. */
class EventSize {
  #size = 0;
  #isLineEmpty = true;
  #isAfterReturn = false;

  /** @throws MessageTooLargeError */
  note(bytes: Uint8Array): void {
    for (const byte of bytes) {
      this.#size += 1;
      if (byte === CARRIAGE_RETURN || (byte === LINE_FEED && !this.#isAfterReturn)) {
        if (this.#isLineEmpty) this.#size = 0;
        this.#isLineEmpty = true;
      } else if (byte !== LINE_FEED) this.#isLineEmpty = false;
      this.#isAfterReturn = byte === CARRIAGE_RETURN;
      if (this.#size > MAX_MESSAGE_BYTES) throw new MessageTooLargeError();
    }
  }
}
