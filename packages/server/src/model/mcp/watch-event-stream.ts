import { ReadableStream as NodeStream } from "node:stream/web";

/** What an event stream of an MCP server brings beside responses, which the AI SDK's client does not tell. */
export interface EventStreamWatcher {
  /** The server has announced another list of tools (MCP, "Tools"). */
  readonly onListChanged: () => void;
  /** The server works on the call that was sent with this token (MCP, "Progress"). */
  readonly onProgress: (token: string) => void;
  /** The stream is over, or has broken off. */
  readonly onEnd: () => void;
}

/** What `progressTokens` begin with, so that they are found in a stream without parsing it. */
const TOKEN = "nitka-progress-";

/** Some encoders of JSON escape the slash. A token ends with its quotation mark, so that none is cut. */
const NOTICED = new RegExp(String.raw`notifications\\?/tools\\?/list_changed|${TOKEN}\d+(?=")`, "g");
const NOTICED_CHARS = 40;

/** @example progressToken(7) // "nitka-progress-7" */
export function progressToken(number: number): string {
  return TOKEN + number;
}

/** The response itself, watched while it is read. One that is no event stream stays as it is. */
export function watchEventStream(response: Response, watcher: EventStreamWatcher): Response {
  if (!response.body || !response.headers.get("content-type")?.includes("text/event-stream")) return response;
  const { status, statusText, headers } = response;
  return new Response(NodeStream.from(watched(response.body, watcher)) as ReadableStream, {
    status,
    statusText,
    headers,
  });
}

async function* watched(body: AsyncIterable<Uint8Array>, watcher: EventStreamWatcher): AsyncGenerator<Uint8Array> {
  const utf8 = new TextDecoder();
  let last = "";
  try {
    for await (const bytes of body) {
      // A notification may be cut between two chunks, but counts once.
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
  } finally {
    watcher.onEnd();
  }
}
