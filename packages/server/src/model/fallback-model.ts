import type { StreamEvent } from "@nitka/protocol";
import { ModelError } from "./model.ts";
import type { Model, ModelRequest, ModelUsage, TitleRequest } from "./model.ts";

/**
 * A model with a fallback: the fallback answers when the model is unavailable or rate limited. Once the model has begun
 * an answer, it is not replaced. `modelId` in `onUsage` names the one that made the request.
 *
 * @example
 * withFallback(createAnthropicModel({ model: "claude-sonnet-4-5" }), createGoogleModel({ model: "gemini-2.5-flash" }))
 */
export function withFallback(model: Model, fallback: Model): Model {
  return {
    id: model.id,
    name: model.name,
    toolNames: async () => [...((await model.toolNames?.()) ?? []), ...((await fallback.toolNames?.()) ?? [])],
    run: (request) => run(model, fallback, request),
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

async function orElse<T>(ask: () => Promise<T>, askFallback: () => Promise<T>, { signal }: TitleRequest): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isUnavailable(error) || signal.aborted) throw error;
    return askFallback();
  }
}

async function* run(
  model: Model,
  fallback: Model,
  request: ModelRequest,
): AsyncGenerator<StreamEvent, ModelUsage, undefined> {
  const events = model.run(request);
  // `start-step` is held back until the first content, because the fallback sends its own.
  let pendingStep: StreamEvent | undefined;
  let hasBegun = false;
  try {
    for (;;) {
      const { done, value } = await events.next();
      if (done) return value;
      if (!hasBegun && value.type === "start-step") {
        pendingStep = value;
        continue;
      }
      if (pendingStep) yield pendingStep;
      pendingStep = undefined;
      hasBegun = true;
      yield value;
    }
  } catch (error) {
    if (hasBegun || request.signal.aborted || !isUnavailable(error)) throw error;
  } finally {
    await events.return({});
  }
  return yield* fallback.run(request);
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ModelError && (error.code === "upstream_unavailable" || error.code === "upstream_limited");
}
