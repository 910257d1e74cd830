import type { Message, StreamEvent } from "@nitka/protocol";
import { sleep, systemClock } from "../clock.ts";
import type { Clock } from "../clock.ts";
import { ModelError } from "../model.ts";
import type { Model, ModelRequest, ModelUsage } from "../model.ts";

/** A line of a script: what happens, and when, in milliseconds from the start. Without `at`: right after the one before. */
export type ScriptLine =
  | { readonly at?: number; readonly event: StreamEvent }
  | { readonly at?: number; readonly error: ModelError }
  /** Says nothing more until the run is stopped or given up. */
  | { readonly at?: number; readonly silence: true };

export interface ScriptedModelOptions {
  readonly id?: string;
  readonly name?: string;
  /** The script, or who writes one for each request. */
  readonly script: readonly ScriptLine[] | ((request: ModelRequest) => readonly ScriptLine[]);
  /** What each run takes, also one that fails or is stopped. Without it nothing is reported. */
  readonly usage?: ModelUsage;
  readonly title?: string | ((history: readonly Message[]) => string | undefined);
  readonly clock?: Clock;
}

/**
 * A model that plays what it is given, for tests and benchmarks: exact events at exact times, no upstream. Due times
 * count from the start of the run, so a late event does not delay those after it.
 *
 * @example
 * createScriptedModel({ script: saying("Привет") })
 */
export function createScriptedModel({
  id = "scripted",
  name = "Scripted",
  script,
  usage,
  title,
  clock = systemClock,
}: ScriptedModelOptions): Model {
  return {
    id,
    name,
    run: async function* (request) {
      try {
        yield* play(typeof script === "function" ? script(request) : script, request, clock);
        return usage ?? {};
      } finally {
        if (usage) request.onUsage?.({ ...noTokens, ...usage, modelId: id, purpose: "answer", estimated: false });
      }
    },
    title: async ({ history }) => (typeof title === "function" ? title(history) : title),
  };
}

const noTokens = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

/** The lines in which a model says a text, a delta for each piece. */
export function saying(...deltas: readonly string[]): readonly ScriptLine[] {
  return [
    { event: { type: "text-start", id: "t1" } },
    ...deltas.map((delta): ScriptLine => ({ event: { type: "text-delta", id: "t1", delta } })),
    { event: { type: "text-end", id: "t1" } },
  ];
}

async function* play(
  lines: readonly ScriptLine[],
  { signal, idleMs }: ModelRequest,
  clock: Clock,
): AsyncGenerator<StreamEvent, void, undefined> {
  const start = clock.now();
  for (const line of lines) {
    const wait = "silence" in line ? Number.POSITIVE_INFINITY : start + (line.at ?? 0) - clock.now();
    const patience = idleMs ?? Number.POSITIVE_INFINITY;
    await wakeAfter(clock, Math.min(wait, patience), signal);
    if (signal.aborted) return;
    if (wait > patience) throw new ModelError("silent", `The script is silent for more than ${patience} ms`);
    if ("error" in line) throw line.error;
    if ("event" in line) yield line.event;
  }
}

/** As `sleep`, and able to wait for the signal alone: timers cannot be set for ever. */
function wakeAfter(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms !== Number.POSITIVE_INFINITY) return sleep(clock, ms, signal);
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
