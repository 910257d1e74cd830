import type { Message } from "@nitka/protocol";
import type { Model, ModelCall, ModelRequest, ModelUsage, ReportUsage } from "../model/model.ts";
import type { UsedTokens } from "../storage/usage.ts";
import type { ActiveRun } from "./active-run.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { usedTokens } from "./usage-service.ts";
import type { UsageService } from "./usage-service.ts";

/** What the calls of one answer take. What is reported before the answer's end is stored with it, what comes later alone. */
export class RunUsage {
  readonly #run: ActiveRun;
  readonly #service: UsageService;
  readonly #calls: ModelCall[] = [];
  #sentTokens = 0;
  #phase: "open" | "taken" | "unreported" = "open";

  constructor(run: ActiveRun, service: UsageService) {
    this.#run = run;
    this.#service = service;
  }

  readonly report: ReportUsage = (call) => {
    const { owner, run } = this.#run;
    if (this.#phase === "taken") return this.#service.record(owner, run.threadId, call);
    // What stands for the whole answer holds this call, too.
    if (this.#phase === "unreported") return;
    this.#service.show(owner, call);
    this.#calls.push(call);
  };

  /** What the model is sent, for one that does not report. */
  sends({ history, instructions }: Pick<ModelRequest, "history" | "instructions">): void {
    this.#sentTokens = estimateTokens(history, instructions);
  }

  /**
   * Everything reported by the answer's end. Of a model that has answered and reported no call, what it returned; of one
   * that returned nothing either, a token for four characters sent and received.
   */
  take(model: Model, answer: Message, told: ModelUsage): readonly UsedTokens[] {
    this.#phase = "taken";
    if (this.#calls.length === 0 && answer.content.length > 0) {
      this.#phase = "unreported";
      const call: ModelCall = {
        modelId: model.id,
        purpose: "answer",
        inputTokens: told.inputTokens ?? this.#sentTokens,
        cachedInputTokens: told.cachedInputTokens ?? 0,
        outputTokens: told.outputTokens ?? estimateTokens([answer]),
        estimated: told.inputTokens === undefined || told.outputTokens === undefined,
      };
      this.#service.show(this.#run.owner, call);
      this.#calls.push(call);
    }
    return this.#calls.map(usedTokens);
  }
}
