import { mimeEssence } from "@nitka/protocol/mime-type";
import { noteSignOfLife } from "../idle-timeout.ts";
import { excessiveUpstreamError, redirectError } from "../to-model-error.ts";
import type { BodyReading } from "./read-completion.ts";

type Fetch = typeof globalThis.fetch;

/** The most bytes of a line, of a response, and of the body of a refusal, from which only the message is read. */
const MAX_LINE_BYTES = 16_000_000;
const MAX_BODY_BYTES = 128_000_000;
const MAX_REFUSAL_BYTES = 200_000;

const LINE_FEED = 10;

/**
 * The body of a successful response. Each of its lines is a sign of life on its request's signal, and its bytes are
 * limited.
 */
export interface UpstreamBody {
  readonly reader: BytesReader;
  readonly limits: BodyLimits;
  /** For example `text/event-stream`. */
  readonly contentType: string | undefined;
}

/**
 * The `fetch` of a provider. Each line from the upstream is a sign of life on the request's signal, and the size of the
 * decompressed response is limited.
 *
 * @param fetch default: the global one
 * @param read makes the body that the provider gets from the body of a successful response. Default: its bytes
 */
export function upstreamFetch(
  fetch?: Fetch,
  read: (body: UpstreamBody, init: RequestInit | undefined) => ReadableStream<Uint8Array> | "" = readBytes,
): Fetch {
  return async (input, init) => {
    const response = await fetchRedirected(fetch ?? globalThis.fetch, input, init);
    if (!response.body) return response;
    const { ok, status, statusText, headers } = response;
    const contentType = mimeEssence(headers.get("content-type") ?? "") || undefined;
    const onLine = () => init?.signal && noteSignOfLife(init.signal);
    const body = ok
      ? read({ reader: response.body.getReader(), limits: new BodyLimits(onLine), contentType }, init)
      : response.body.pipeThrough(beginningOfBody());
    return new Response(body, { status, statusText, headers });
  };
}

/** `fetch` follows 301, 302 and 303 with a GET without the question, whose response would hide the wrong address. */
async function fetchRedirected(fetch: Fetch, ...[input, init]: Parameters<Fetch>): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: "manual" });
  if (![301, 302, 303, 307, 308].includes(response.status)) return response;
  await response.body?.cancel();
  if (response.status > 303) return fetch(input, init);
  const { origin, pathname } = new URL(response.headers.get("location") ?? "", response.url);
  throw redirectError(response.status, origin + pathname);
}

/** Reads the body of a refusal up to its limit. The status counts in any case. */
function beginningOfBody(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, MAX_REFUSAL_BYTES - bytes));
      bytes += chunk.length;
      if (bytes >= MAX_REFUSAL_BYTES) controller.terminate();
    },
  });
}

/** Counts the bytes of a body and of its lines. */
class BodyLimits {
  readonly #onLine: () => void;
  #bytes = 0;
  #lineBytes = 0;

  constructor(onLine: () => void) {
    this.#onLine = onLine;
  }

  /** @throws ModelError when there are too many bytes */
  note(piece: Uint8Array): void {
    const first = piece.indexOf(LINE_FEED);
    const lineBytes = this.#lineBytes + (first < 0 ? piece.length : first);
    this.#bytes += piece.length;
    this.#lineBytes = first < 0 ? lineBytes : piece.length - piece.lastIndexOf(LINE_FEED) - 1;
    if (lineBytes > MAX_LINE_BYTES) throw excessiveUpstreamError(`${MAX_LINE_BYTES} bytes in one line`);
    if (this.#bytes > MAX_BODY_BYTES) throw excessiveUpstreamError(`${MAX_BODY_BYTES} bytes in one response`);
    if (first >= 0) this.#onLine();
  }
}

function readBytes(body: UpstreamBody): ReadableStream<Uint8Array> {
  return streamOf(bodyReader(body, (value) => ({ items: value ? [value] : [], isOver: value === undefined })));
}

interface BytesReader {
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}

/** Reads items one by one, like the reader of a web stream. */
export type ItemReader<T> = Pick<ReadableStreamDefaultReader<T>, "read" | "cancel">;

/** Reads the items that `reading` finds in the body. */
export function readBody<T>({ reader, ...body }: UpstreamBody, reading: BodyReading<T>): ItemReader<T> {
  const decoder = new TextDecoder();
  const source = {
    cancel: (reason?: unknown) => reader.cancel(reason),
    read: () =>
      reader.read().catch((error: unknown) => {
        if (!reading.hasFinished) throw error;
        return { value: undefined };
      }),
  };
  return bodyReader({ reader: source, ...body }, (value) => {
    const found = reading.feed(decoder.decode(value, { stream: value !== undefined }));
    const items = value ? found : [...found, ...reading.end()];
    return { items, isOver: value === undefined || reading.isDone };
  });
}

/**
 * Converts the body while it is read. It ends when the conversion is over, since some servers then keep the connection
 * open. The rest is still read, so that the connection can be reused.
 *
 * @param convert gets `undefined` at the end
 */
function bodyReader<T>(
  { reader, limits }: UpstreamBody,
  convert: (value: Uint8Array | undefined) => { readonly items: readonly T[]; readonly isOver: boolean },
): ItemReader<T> {
  let items: readonly T[] = [];
  let taken = 0;
  let isOver = false;
  return {
    async read() {
      try {
        while (taken === items.length && !isOver) {
          const { value } = await reader.read();
          if (value) limits.note(value);
          ({ items, isOver } = convert(value));
          taken = 0;
          if (isOver && value) void readRest(reader, limits);
        }
      } catch (error) {
        reader.cancel(error).catch(() => undefined);
        throw error;
      }
      const value = items[taken];
      if (value === undefined) return { done: true, value };
      taken += 1;
      return { done: false, value };
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

/** The items of a reader as a web stream. */
export function streamOf<T>(reader: ItemReader<T>): ReadableStream<T> {
  return new ReadableStream<T>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

async function readRest(reader: BytesReader, limits: BodyLimits): Promise<void> {
  try {
    for (let next = await reader.read(); next.value; next = await reader.read()) limits.note(next.value);
  } catch (error) {
    // The answer is already complete.
    await reader.cancel(error).catch(() => undefined);
  }
}
