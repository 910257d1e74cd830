import type { LanguageModelV4CallOptions, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { ModelCall, ReportUsage } from "./model.ts";
import { messageChars, toolsChars } from "./prompt/prompt-chars.ts";

/** What a token stands for where the upstream does not count. */
const CHARS_PER_TOKEN = 4;

export interface MeterOptions {
  readonly modelId: string;
  readonly purpose: ModelCall["purpose"];
  readonly report: ReportUsage;
}

/** Measures one call of a language model and reports it once, however it ends. */
export class CallMeter {
  readonly #options: MeterOptions;
  readonly #call: LanguageModelV4CallOptions;
  #receivedChars = 0;
  #usage: LanguageModelV4Usage | undefined;
  #closed = false;

  constructor(call: LanguageModelV4CallOptions, options: MeterOptions) {
    this.#call = call;
    this.#options = options;
    // Within the abort: who stops a run stores its usage right after.
    call.abortSignal?.addEventListener("abort", this.close);
  }

  /** Something that the model wrote: text, reasoning, or a tool's arguments. */
  received(chars: number): void {
    this.#receivedChars += chars;
  }

  /** What the upstream itself says that the call took. */
  told(usage: LanguageModelV4Usage): void {
    this.#usage = usage;
  }

  /** The upstream refused the call: it took nothing. */
  readonly cancel = (): void => {
    this.#closed = true;
    this.#call.abortSignal?.removeEventListener("abort", this.close);
  };

  /** The call is over. */
  readonly close = (): void => {
    if (this.#closed) return;
    this.cancel();
    const { modelId, purpose, report } = this.#options;
    const { inputTokens, outputTokens } = this.#usage ?? {};
    const input = counted(inputTokens?.total, () => sentChars(this.#call));
    const output = counted(outputTokens?.total, () => this.#receivedChars);
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

/** The upstream's own count. One of zero for what does have characters is that of an upstream that does not count. */
function counted(total: number | undefined, chars: () => number): { tokens: number; estimated: boolean } {
  if (total !== undefined && total > 0) return { tokens: total, estimated: false };
  const tokens = Math.ceil(chars() / CHARS_PER_TOKEN);
  return { tokens, estimated: total === undefined || tokens > 0 };
}

function sentChars({ prompt, tools }: LanguageModelV4CallOptions): number {
  return prompt.reduce((sum, message) => sum + messageChars(message), toolsChars(tools));
}
