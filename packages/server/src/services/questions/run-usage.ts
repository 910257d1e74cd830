import type { Message } from "@nitka/protocol";
import type { Model, ModelCall, ModelRequest, ModelUsage, ReportUsage } from "../../model/model.ts";
import type { UsedTokens } from "../../storage/usage.ts";
import type { ActiveRun } from "../runs/active-run.ts";
import { estimateTokens } from "../projects/estimate-tokens.ts";
import { contextChars } from "./question-context.ts";
import { usedTokens } from "../projects/usage-service.ts";
import type { UsageService } from "../projects/usage-service.ts";

/**
 * The tokens of one answer. What the model reports before the answer's end is stored with the answer. What it reports later
 * is stored at once.
 */
export class RunUsage {
  readonly #run: ActiveRun;
  readonly #service: UsageService;
  readonly #calls: ModelCall[] = [];
  /** An estimate, for a model that reports nothing. */
  #sentTokens = 0;
  /** `estimated`: one entry stands for the whole answer, so later reports would be counted twice. */
  #phase: "open" | "totalled" | "estimated" = "open";

  constructor(run: ActiveRun, service: UsageService) {
    this.#run = run;
    this.#service = service;
  }

  readonly report: ReportUsage = (call) => {
    const { owner, threadId } = this.#run;
    if (this.#phase === "totalled") return this.#service.record(owner, threadId, call);
    if (this.#phase === "estimated") return;
    this.#service.count(owner, call);
    this.#calls.push(call);
  };

  /** Estimates the input of a model that may not report. */
  sends(request: Pick<ModelRequest, "history" | "instructions" | "pageContext" | "shownClaims">): void {
    this.#sentTokens = estimateTokens(request.history, request.instructions, contextChars(request));
  }

  /**
   * The tokens of the answer, at its end: what the model has reported. Where it has written something and reported nothing,
   * they are the usage that it returned, or else an estimate from the characters.
   */
  total(model: Model, answer: Message, returned: ModelUsage): readonly UsedTokens[] {
    this.#phase = "totalled";
    if (this.#calls.length === 0 && answer.content.length > 0) {
      this.#phase = "estimated";
      const call: ModelCall = {
        modelId: model.id,
        purpose: "answer",
        inputTokens: returned.inputTokens ?? this.#sentTokens,
        cachedInputTokens: returned.cachedInputTokens ?? 0,
        outputTokens: returned.outputTokens ?? estimateTokens([answer]),
        estimated: returned.inputTokens === undefined || returned.outputTokens === undefined,
      };
      this.#service.count(this.#run.owner, call);
      this.#calls.push(call);
    }
    return this.#calls.map(usedTokens);
  }
}
