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
    const limited = response.body.pipeThrough(ok ? limitedBody(onLine) : beginningOfBody());
    const body = ok && createRepair ? repairedBody(limited, createRepair(init)) : limited;
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

function limitedBody(onLine: () => void): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let lineBytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const first = chunk.indexOf(LINE_FEED);
      const ended = lineBytes + (first < 0 ? chunk.length : first);
      bytes += chunk.length;
      lineBytes = first < 0 ? ended : chunk.length - chunk.lastIndexOf(LINE_FEED) - 1;
      if (ended > MAX_LINE_BYTES) throw excessiveUpstreamError(`${MAX_LINE_BYTES} bytes in one line`);
      if (bytes > MAX_BODY_BYTES) throw excessiveUpstreamError(`${MAX_BODY_BYTES} bytes in one response`);
      controller.enqueue(chunk);
      if (first >= 0) onLine();
    },
  });
}

/**
 * The body as its repair leaves it. It ends when the response has said that it is over: some servers keep the connection open
 * then. The rest is still read, so that the connection can be used again.
 */
function repairedBody(source: ReadableStream<Uint8Array>, repair: BodyRepair): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (let sent = ""; sent === "";) {
        const { done, value } = await reader.read();
        sent = repair.feed(decoder.decode(value, { stream: !done })) + (done ? repair.end() : "");
        if (sent !== "") controller.enqueue(encoder.encode(sent));
        if (done || repair.isDone) {
          controller.close();
          if (!done) void readRest(reader);
          return;
        }
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

async function readRest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The answer is whole without it.
  }
}
