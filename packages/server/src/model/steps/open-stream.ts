import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import type { Clock } from "../clock.ts";
import { onSignOfLife, startIdleTimeout } from "../idle-timeout.ts";
import type { IdleTimeout } from "../idle-timeout.ts";
import { raceAbort } from "../race-abort.ts";
import { RequestMeter } from "../request-meter.ts";
import type { RequestMeterOptions } from "../request-meter.ts";
import { silentUpstreamError } from "../to-model-error.ts";
import type { Trace } from "../trace/trace.ts";
import { TagSplitter } from "../wire/tag-splitter.ts";
import type { ReasoningTag } from "../wire/tag-splitter.ts";
import type { ItemReader } from "../wire/upstream-fetch.ts";
import { coalesceDeltas } from "./coalesce-deltas.ts";
import type { PartReader } from "./coalesce-deltas.ts";

export interface StreamOptions {
  readonly languageModel: LanguageModelV4;
  /** The tag inside which the model thinks in its text. */
  readonly reasoningTag?: ReasoningTag | undefined;
  /** Deltas that arrive within this many milliseconds are merged. */
  readonly mergeMs: number;
  readonly meter: RequestMeterOptions;
  readonly clock: Clock;
  /** Milliseconds without a line from the upstream after which the request fails; `null` for no limit. */
  readonly idleMs: number | null;
  readonly signal: AbortSignal;
  /** The trace span of the answer. */
  readonly trace: Trace;
  /** Makes the headers of each request. They may identify the visitor for some minutes, so they are made anew. */
  readonly headers?: (() => Promise<Readonly<Record<string, string>>>) | undefined;
  /** Called before each request. */
  readonly onRequest?: (() => void) | undefined;
  /** Called for each line that the upstream sends, including comments. */
  readonly onSignOfLife?: (() => void) | undefined;
}

/** A model's stream. */
export interface ReadStream extends LanguageModelV4StreamResult {
  /** Reads the stream without a web stream in between, which would cost some microseconds per event. */
  readonly reader?: ItemReader<LanguageModelV4StreamPart>;
}

/** The stream of one request to a language model, read up to its first part. */
export interface OpenStream {
  /** `undefined` for a stream without any part. */
  readonly first: LanguageModelV4StreamPart | undefined;
  readonly reader: PartReader;
  readonly idleTimeout: IdleTimeout;
  readonly meter: RequestMeter;
  readonly span: Trace;
  /** Converts an error of the stream to the error to throw. */
  readonly failed: (error: unknown) => unknown;
  readonly close: () => void;
}

/**
 * Sends a request and waits for the first part of its stream, so that a request which fails before that can be retried.
 *
 * @throws the upstream's error unchanged
 */
export async function openStream(
  options: StreamOptions,
  settings: Omit<LanguageModelV4CallOptions, "abortSignal">,
): Promise<OpenStream> {
  const { languageModel, reasoningTag, mergeMs, meter: meterOptions, clock, idleMs, signal, trace } = options;
  const { onRequest } = options;
  const ofRequest = (await options.headers?.()) ?? {};
  onRequest?.();
  const idleTimeout = startIdleTimeout(idleMs, clock);
  const abortSignal = AbortSignal.any([signal, idleTimeout.signal]);
  onSignOfLife(abortSignal, () => {
    idleTimeout.reset();
    options.onSignOfLife?.();
  });
  const request = { ...settings, ...(Object.keys(ofRequest).length > 0 && { headers: ofRequest }), abortSignal };
  const meter = new RequestMeter(request, meterOptions);
  const span = trace.child(`chat ${languageModel.modelId}`, {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": languageModel.provider,
    "gen_ai.request.model": languageModel.modelId,
  });
  let reader: PartReader | undefined;
  const failed = (error: unknown) => {
    if (!signal.aborted) span.fail(error instanceof Error ? error.name : "error");
    return idleTimeout.signal.aborted && !signal.aborted ? silentUpstreamError(idleMs ?? 0) : error;
  };
  const close = () => {
    idleTimeout.stop();
    meter.finish();
    span.end();
    reader?.cancel();
  };
  try {
    const { stream, reader: source = stream.getReader() }: ReadStream = await raceAbort(
      span.run(() => languageModel.doStream(request)),
      abortSignal,
    ).catch((error: unknown) => {
      // The upstream refused the request before it began: nothing was used.
      if (!abortSignal.aborted) meter.discard();
      throw error;
    });
    const splitter = reasoningTag && new TagSplitter(reasoningTag);
    reader = coalesceDeltas(source, { windowMs: mergeMs, clock, signal: abortSignal, splitter });
    for (;;) {
      const part = await reader.read();
      idleTimeout.reset();
      if (part?.type === "error") throw part.error;
      if (part?.type === "stream-start" || part?.type === "response-metadata") continue;
      return { first: part, reader, idleTimeout, meter, span, failed, close };
    }
  } catch (error) {
    close();
    throw failed(error);
  }
}
