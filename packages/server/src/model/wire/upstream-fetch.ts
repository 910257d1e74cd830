import { SIGN_OF_LIFE } from "../idle-timeout.ts";
import { excessiveUpstreamError } from "../to-model-error.ts";
import type { BodyRepair } from "./completion-repair.ts";

type Fetch = typeof globalThis.fetch;

/** The most bytes of a line, of a response, and of the body of a refusal, which is read for its sentence alone. */
const MAX_LINE_BYTES = 16_000_000;
const MAX_BODY_BYTES = 128_000_000;
const MAX_REFUSAL_BYTES = 200_000;

const LINE_FEED = 10;

/**
 * The `fetch` of a provider. Each line that the upstream sends is a sign of life on the request's signal, and what it sends
 * is limited, after it was decompressed.
 *
 * @param fetch default: the global one
 * @param createRepair makes the repair of a successful response; without it, the response is what the upstream sends
 */
export function upstreamFetch(fetch?: Fetch, createRepair?: (init: RequestInit | undefined) => BodyRepair): Fetch {
  return async (input, init) => {
    const response = await (fetch ?? globalThis.fetch)(input, init);
    if (!response.body) return response;
    const { ok, status, statusText, headers } = response;
    const onLine = () => init?.signal?.dispatchEvent(new Event(SIGN_OF_LIFE));
    const body = ok
      ? readBody(response.body.getReader(), new BodyLimits(onLine), createRepair?.(init))
      : response.body.pipeThrough(beginningOfBody());
    return new Response(body, { status, statusText, headers });
  };
}

/** What a refusal says is read up to its limit: its status counts in any case. */
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

  /** @throws ModelError when they are too many */
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

/**
 * The body as it is sent on. It ends when its repair has found the response over: some servers keep the connection open then.
 * The rest is still read, so that the connection can be used again. One stream does all of this, since each further one
 * would cost every event some microseconds.
 */
function readBody(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limits: BodyLimits,
  repair: BodyRepair | undefined,
): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          for (let sent: Uint8Array | undefined; !sent?.length;) {
            const { done, value } = await reader.read();
            if (value) limits.note(value);
            const text = repair && repair.feed(decoder.decode(value, { stream: !done })) + (done ? repair.end() : "");
            sent = text === undefined ? value : encoder.encode(text);
            if (sent?.length) controller.enqueue(sent);
            if (!done && !repair?.isDone) continue;
            controller.close();
            if (!done) void readRest(reader, limits);
            return;
          }
        } catch (error) {
          reader.cancel(error).catch(() => undefined);
          throw error;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

async function readRest(reader: ReadableStreamDefaultReader<Uint8Array>, limits: BodyLimits): Promise<void> {
  try {
    for (let next = await reader.read(); next.value; next = await reader.read()) limits.note(next.value);
  } catch (error) {
    // The answer is whole without it.
    await reader.cancel(error).catch(() => undefined);
  }
}
