import { readStream } from "@nitka/protocol/read-stream";
import { STREAM_SILENCE_MS } from "../timings.ts";
import type { RunStream } from "./transport.ts";

/** @param isNeverSilent the backend sends something at least every 15 s, so that a longer silence means a dead connection */
export function readRun({ body }: Response, isNeverSilent: boolean): RunStream {
  const bytes = body ?? new Blob().stream();
  return readStream(isNeverSilent ? withSilenceTimeout(bytes, STREAM_SILENCE_MS) : bytes);
}

/**
 * The same bytes, with an error after `silenceMs` without any. A connection whose other end is gone (a laptop that slept, a
 * changed network) otherwise stays open and silent forever.
 */
export function withSilenceTimeout(body: ReadableStream<Uint8Array>, silenceMs: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const silence = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`Nothing was heard for ${silenceMs} ms.`)), silenceMs);
      });
      try {
        const { done, value } = await Promise.race([reader.read(), silence]);
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
        await reader.cancel(error).catch(() => undefined);
      } finally {
        clearTimeout(timer);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
