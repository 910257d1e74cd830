import type { StreamEvent } from "@nitka/protocol";
import type { Model, ModelCall, ModelRequest, ModelUsage } from "../model/model.ts";

/** A model whose output the test controls. */
export interface HeldModel extends Model {
  /** Its requests, in order. */
  readonly requests: readonly ModelRequest[];
  /** Appends events to the newest run. */
  say(...events: readonly StreamEvent[]): void;
  write(text: string): void;
  end(usage?: ModelUsage): void;
  fail(error: unknown): void;
  /** Reports the tokens of a step of the newest run. */
  spend(call: Partial<ModelCall>): void;
  /** Resolves when `count` runs have begun in total. */
  asked(count: number): Promise<void>;
}

type Step =
  | { readonly type: "say"; readonly event: StreamEvent }
  | { readonly type: "end"; readonly usage: ModelUsage }
  | { readonly type: "fail"; readonly error: unknown };

/** @param options.stubborn ignores the abort signal */
export function createHeldModel(
  options: { readonly id?: string; readonly title?: Model["title"]; readonly stubborn?: boolean } = {},
): HeldModel {
  const { id = "held", title = async () => undefined, stubborn = false } = options;
  const requests: ModelRequest[] = [];
  let steps: Step[] = [];
  let wake: () => void = () => undefined;
  const waiting = new Set<() => void>();

  const step = (one: Step) => {
    steps.push(one);
    wake();
  };

  return {
    id,
    name: id,
    requests,
    title,
    async *run(request) {
      requests.push(request);
      const own: Step[] = [];
      steps = own;
      for (const listener of waiting) listener();
      if (!stubborn) request.signal.addEventListener("abort", () => wake());
      for (;;) {
        const next = own.shift();
        if (next?.type === "say") yield next.event;
        else if (next?.type === "fail") throw next.error;
        else if (next?.type === "end") return next.usage;
        else if (request.signal.aborted && !stubborn) return {};
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    },
    say: (...events) => {
      for (const event of events) step({ type: "say", event });
    },
    write: (delta) => step({ type: "say", event: { type: "text-delta", id: "t1", delta } }),
    end: (usage = {}) => step({ type: "end", usage }),
    spend: (call) =>
      requests.at(-1)?.onUsage?.({
        modelId: id,
        purpose: "answer",
        inputTokens: 0,
        cachedInputTokens: 0,
        outputTokens: 0,
        estimated: false,
        ...call,
      }),
    fail: (error) => step({ type: "fail", error }),
    asked: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (requests.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
