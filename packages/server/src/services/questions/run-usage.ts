import type { Message } from "@nitka/protocol";
import type { Model, ModelCall, ModelRequest, ModelUsage, ReportUsage } from "../../model/model.ts";
import type { UsedTokens } from "../../storage/usage.ts";
import type { ActiveRun } from "../runs/active-run.ts";
import { estimateTokens } from "../projects/estimate-tokens.ts";
import { contextChars } from "./question-context.ts";
import { usedTokens } from "../projects/usage-service.ts";
import type { UsageService } from "../projects/usage-service.ts";

/**
 * The tokens of one answer. Reports of the model before the answer's end are stored with the answer. Later reports are
 * stored at once.
 */
export class RunUsage {
  readonly #run: ActiveRun;
  readonly #service: UsageService;
  readonly #calls: ModelCall[] = [];
  /** An estimate of the input tokens, for a model that reports nothing. */
  #sentTokens = 0;
  /** `estimated`: one entry stands for the whole answer, so counting later reports would count tokens twice. */
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

  /** Estimates the input, in case the model reports nothing. */
  sends(request: Pick<ModelRequest, "history" | "instructions" | "pageContext" | "shownClaims">): void {
    this.#sentTokens = estimateTokens(request.history, request.instructions, contextChars(request));
  }

  /**
   * The tokens of the answer at its end, as reported by the model. If the model has written content without a report,
   * they are the usage that it returned, or an estimate from the characters.
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
