import type { StreamEvent } from "@nitka/protocol";
import { ModelError } from "./model.ts";
import type { Model, ModelRequest, ModelUsage } from "./model.ts";

/**
 * A model with another one that answers in its place while it is unavailable or limited. Once the first has said a word
 * it is not replaced. `onUsage` tells which of them spoke.
 *
 * @example
 * withFallback(createAnthropicModel({ model: "claude-sonnet-4-5" }), createGoogleModel({ model: "gemini-2.5-flash" }))
 */
export function withFallback(model: Model, fallback: Model): Model {
  return {
    id: model.id,
    name: model.name,
    run: (request) => run(model, fallback, request),
    async title(request) {
      try {
        return await model.title(request);
      } catch (error) {
        if (!isAway(error) || request.signal.aborted) throw error;
        return fallback.title(request);
      }
    },
  };
}

async function* run(
  model: Model,
  fallback: Model,
  request: ModelRequest,
): AsyncGenerator<StreamEvent, ModelUsage, undefined> {
  const events = model.run(request);
  // A step that began is told with its first word: with another model it begins anew.
  let held: StreamEvent | undefined;
  let hasSpoken = false;
  try {
    for (;;) {
      const { done, value } = await events.next();
      if (done) return value;
      if (!hasSpoken && value.type === "start-step") {
        held = value;
        continue;
      }
      if (held) yield held;
      held = undefined;
      hasSpoken = true;
      yield value;
    }
  } catch (error) {
    if (hasSpoken || request.signal.aborted || !isAway(error)) throw error;
  } finally {
    await events.return({});
  }
  return yield* fallback.run(request);
}

function isAway(error: unknown): boolean {
  return error instanceof ModelError && (error.code === "upstream_unavailable" || error.code === "upstream_limited");
}
