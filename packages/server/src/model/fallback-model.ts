import type { StreamEvent } from "@nitka/protocol";
import { systemClock } from "./clock.ts";
import type { Clock } from "./clock.ts";
import { startIdleTimeout } from "./idle-timeout.ts";
import type { Model, ModelError, ModelRequest, ModelEnd, TitleRequest } from "./model.ts";
import { raceAbort } from "./race-abort.ts";
import { emptyAnswerError, silentUpstreamError, toModelError } from "./to-model-error.ts";

/**
 * A model with a fallback. The fallback answers when the model ends without an answer, unless the request itself is the
 * reason, or when the model has not begun an answer after `firstByteMs`. A model that has begun an answer is not
 * replaced. `modelId` in `onUsage` names the model that made the request.
 *
 * @example
 * withFallback(createAnthropicModel({ model: "claude-sonnet-4-5" }), createGoogleModel({ model: "gemini-2.5-flash" }))
 */
export function withFallback(model: Model, fallback: Model, { clock = systemClock }: FallbackOptions = {}): Model {
  return {
    id: model.id,
    name: model.name,
    toolNames: async () => [...((await model.toolNames?.()) ?? []), ...((await fallback.toolNames?.()) ?? [])],
    takesTools: model.takesTools !== false || fallback.takesTools !== false,
    run: (request) => run(model, fallback, request, clock),
    title: (request) =>
      orElse(
        () => model.title(request),
        () => fallback.title(request),
        request,
      ),
    suggest: (request) =>
      orElse(
        async () => (await model.suggest?.(request)) ?? [],
        async () => (await fallback.suggest?.(request)) ?? [],
        request,
      ),
  };
}

export interface FallbackOptions {
  readonly clock?: Clock;
}

async function orElse<T>(ask: () => Promise<T>, askFallback: () => Promise<T>, { signal }: TitleRequest): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (signal.aborted || !mayAnswerElsewhere(toModelError(error, false))) throw error;
    return askFallback();
  }
}

async function* run(
  model: Model,
  fallback: Model,
  request: ModelRequest,
  clock: Clock,
): AsyncGenerator<StreamEvent, ModelEnd, undefined> {
  const { firstByteMs, onRequest, onFallback } = request;
  const left = new AbortController();
  const timeout = startIdleTimeout(firstByteMs, clock);
  // The time for opening tools does not count.
  let isAsked = false;
  const asked = () => {
    if (!isAsked) timeout.reset();
    isAsked = true;
    onRequest?.();
  };
  const signal = AbortSignal.any([request.signal, left.signal]);
  const events = model.run({ ...request, signal, onRequest: asked });
  // Held back until the first content, because the fallback sends steps and blocks of its own.
  const held: StreamEvent[] = [];
  let hasBegun = false;
  let failure: ModelError;
  try {
    for (;;) {
      const { done, value } = await (hasBegun ? events.next() : raceAbort(events.next(), timeout.signal));
      if (done) {
        if (hasBegun || request.signal.aborted) return value;
        throw emptyAnswerError("none");
      }
      hasBegun ||= isContent(value);
      if (!hasBegun) {
        held.push(value);
        continue;
      }
      timeout.stop();
      yield* held.splice(0);
      yield value;
    }
  } catch (error) {
    if (hasBegun || request.signal.aborted) throw error;
    failure = timeout.signal.aborted
      ? silentUpstreamError(firstByteMs ?? 0, "firstByteMs")
      : toModelError(error, false);
    if (!mayAnswerElsewhere(failure)) throw error;
  } finally {
    timeout.stop();
    left.abort();
    // Not awaited: a silent model may not react to the abort either.
    events.return({}).catch(() => undefined);
  }
  onFallback?.(failure, fallback.id);
  onRequest?.();
  return yield* fallback.run(request);
}

/**
 * Whether a fallback may answer: not when the conversation is too long, nor when the service rejects the request as
 * invalid.
 */
function mayAnswerElsewhere({ code, status }: ModelError): boolean {
  return code !== "context_too_long" && status !== 400;
}

function isContent(event: StreamEvent): boolean {
  switch (event.type) {
    case "start-step":
    case "finish-step":
    case "text-start":
    case "text-end":
    case "reasoning-start":
    case "reasoning-end":
      return false;
    case "text-delta":
    case "reasoning-delta":
      return event.delta !== "";
    default:
      return true;
  }
}
