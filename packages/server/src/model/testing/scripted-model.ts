import type { Message, StreamEvent } from "@nitka/protocol";
import { sleep, systemClock } from "../clock.ts";
import type { Clock } from "../clock.ts";
import { ModelError } from "../model.ts";
import type { Model, ModelRequest, ModelUsage } from "../model.ts";

/**
 * A line of a script. `at` is its due time in milliseconds from the start; without it, the line follows the previous
 * one at once.
 */
export type ScriptLine =
  | { readonly at?: number; readonly event: StreamEvent }
  | { readonly at?: number; readonly error: ModelError }
  /** Sends nothing more until the run is aborted or times out. */
  | { readonly at?: number; readonly silence: true };

export interface ScriptedModelOptions {
  readonly id?: string;
  readonly name?: string;
  /** The script, or a function that makes one for each request. */
  readonly script: readonly ScriptLine[] | ((request: ModelRequest) => readonly ScriptLine[]);
  /** The usage that each run reports, also when it fails or is aborted. Default: no report. */
  readonly usage?: ModelUsage;
  readonly title?: string | ((history: readonly Message[]) => string | undefined);
  readonly clock?: Clock;
}

/**
 * A model for tests and benchmarks. It plays a script of events at exact times, without an upstream. Due times count
 * from the start of the run, so a late event does not delay the following ones.
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

/**
 * The script lines of one text block, with one delta per argument.
 *
 * @example saying("Hel", "lo") // text-start, text-delta "Hel", text-delta "lo", text-end
 */
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
    const idleLimit = idleMs ?? Number.POSITIVE_INFINITY;
    await wakeAfter(clock, Math.min(wait, idleLimit), signal);
    if (signal.aborted) return;
    if (wait > idleLimit) throw new ModelError("silent", `The script is silent for more than ${idleLimit} ms`);
    if ("error" in line) throw line.error;
    if ("event" in line) yield line.event;
  }
}

/** Like `sleep`, but also accepts `Infinity`, which Node's timers do not: it then only waits for the signal. */
function wakeAfter(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms !== Number.POSITIVE_INFINITY) return sleep(clock, ms, signal);
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
