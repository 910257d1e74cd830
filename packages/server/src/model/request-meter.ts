import type { LanguageModelV4CallOptions, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { ModelCall, ReportUsage } from "./model.ts";
import { CHARS_PER_TOKEN, messageChars, toolsChars } from "./prompt/prompt-chars.ts";

export interface RequestMeterOptions {
  readonly modelId: string;
  readonly purpose: ModelCall["purpose"];
  readonly report: ReportUsage;
}

/** Measures one request to a language model, and reports its usage once, whether it succeeds, fails or is aborted. */
export class RequestMeter {
  readonly #options: RequestMeterOptions;
  readonly #request: LanguageModelV4CallOptions;
  #receivedChars = 0;
  #usage: LanguageModelV4Usage | undefined;
  #isFinished = false;

  constructor(request: LanguageModelV4CallOptions, options: RequestMeterOptions) {
    this.#request = request;
    this.#options = options;
    // Runs synchronously with the abort: the code that stops a run stores its usage right after.
    request.abortSignal?.addEventListener("abort", this.finish);
  }

  /** Counts the characters that the model wrote: text, reasoning, or the arguments of a tool call. */
  addReceived(chars: number): void {
    this.#receivedChars += chars;
  }

  /** Sets the usage that the upstream reports. */
  setUsage(usage: LanguageModelV4Usage): void {
    this.#usage = usage;
  }

  /** Ends the measurement without a report, for a request that the upstream refused. */
  readonly discard = (): void => {
    this.#isFinished = true;
    this.#request.abortSignal?.removeEventListener("abort", this.finish);
  };

  /** Ends the measurement and reports it. Further calls have no effect. */
  readonly finish = (): void => {
    if (this.#isFinished) return;
    this.discard();
    const { modelId, purpose, report } = this.#options;
    const { inputTokens, outputTokens } = this.#usage ?? {};
    const input = tokensOf(inputTokens?.total, () => sentChars(this.#request));
    const output = tokensOf(outputTokens?.total, () => this.#receivedChars);
    report({
      modelId,
      purpose,
      inputTokens: input.tokens,
      cachedInputTokens: inputTokens?.cacheRead ?? 0,
      outputTokens: output.tokens,
      estimated: input.estimated || output.estimated,
    });
  };
}

/**
 * The upstream's count, or an estimate. Some upstreams report zero instead of counting, so zero tokens for a non-empty
 * text do not count as reported.
 */
function tokensOf(total: number | undefined, chars: () => number): { tokens: number; estimated: boolean } {
  if (total !== undefined && total > 0) return { tokens: total, estimated: false };
  const tokens = Math.ceil(chars() / CHARS_PER_TOKEN);
  return { tokens, estimated: total === undefined || tokens > 0 };
}

function sentChars({ prompt, tools }: LanguageModelV4CallOptions): number {
  return prompt.reduce((sum, message) => sum + messageChars(message), toolsChars(tools));
}
