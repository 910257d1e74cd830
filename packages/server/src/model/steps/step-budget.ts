import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { excessiveUpstreamError } from "../to-model-error.ts";

/** The most characters of text, reasoning and arguments in one step: twice the output limit of the largest models. */
const MAX_CHARS = 1_000_000;

/** The most tool calls in one step. */
const MAX_CALLS = 128;

/** The number of characters that a part without text counts as, so that an endless sequence of empty parts ends too. */
const PART_CHARS = 100;

/** Limits what a model writes in one step: an upstream that never ends would exhaust the memory. */
export class StepBudget {
  #chars = 0;
  #calls = 0;

  /** @throws ModelError when the part exceeds the budget */
  spend(part: LanguageModelV4StreamPart): void {
    this.#chars += "delta" in part ? part.delta.length : PART_CHARS;
    if (part.type === "tool-input-start") this.#calls += 1;
    if (this.#chars > MAX_CHARS) throw excessiveUpstreamError(`${MAX_CHARS} characters in one step`);
    if (this.#calls > MAX_CALLS) throw excessiveUpstreamError(`${MAX_CALLS} tool calls in one step`);
  }
}
