import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { Message } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";
import { systemClock } from "./clock.ts";
import type { Clock } from "./clock.ts";
import { answerTokens, windowChars } from "./prompt/prompt-chars.ts";
import { RequestMeter } from "./request-meter.ts";
import type { RequestMeterOptions } from "./request-meter.ts";
import { withRetries } from "./retry.ts";
import type { Retry } from "./retry.ts";
import { ModelError } from "./model.ts";
import type { ModelCall, TitleRequest } from "./model.ts";
import { toModelError } from "./to-model-error.ts";
import { createVisitorTokens, visitorHeaders } from "./visitor-token.ts";
import type { VisitorTokensOptions } from "./visitor-token.ts";

/** Titles and suggestions are short. Most of this is for models that reason first. */
const OUTPUT_TOKENS = 1_000;

export interface ExchangeOptions {
  readonly id: string;
  readonly languageModel: LanguageModelV4;
  readonly clock?: Clock;
  /**
   * The model's window in tokens, estimated at four characters per token. A request never exceeds it, and leaves room
   * for the answer: `maxOutputTokens`, or a quarter of the window up to 4,096 tokens.
   */
  readonly contextTokens?: number;
  /**
   * The tag inside which the model thinks in its text, such as `think`. The text inside it becomes reasoning. Default:
   * `false`.
   */
  readonly reasoningTag?: string | false;
  /** How much the model reasons before it writes a title or suggestions. Default: the provider's setting. */
  readonly exchangeReasoning?: NonNullable<LanguageModelV4CallOptions["reasoning"]>;
  /**
   * Tells the model's service who asks and in which thread, with headers on each request: `X-Nitka-Visitor`, a JWT with
   * this `server` as its `aud`, signed with this secret, and `X-Nitka-Thread`. Default: no such headers.
   */
  readonly identify?: Pick<VisitorTokensOptions, "server" | "secret">;
}

/**
 * Asks a language model about an exchange, in a separate request without tools.
 *
 * @returns the text that it wrote; `undefined`, without a request, when the question has no text
 */
export async function askAboutExchange(
  { id, languageModel, clock = systemClock, contextTokens, reasoningTag, exchangeReasoning, identify }: ExchangeOptions,
  { history, signal, asker, onUsage = () => undefined, onAgain }: TitleRequest,
  { purpose, instructions }: { readonly purpose: ModelCall["purpose"]; readonly instructions: string },
): Promise<string | undefined> {
  const maxOutputTokens = Math.min(OUTPUT_TOKENS, answerTokens(contextTokens ?? Number.POSITIVE_INFINITY));
  const room = windowChars(contextTokens, maxOutputTokens) ?? Number.POSITIVE_INFINITY;
  const prompt = exchangePrompt(history, Math.floor((room - instructions.length - FRAME_CHARS) / 2));
  if (prompt === undefined) return undefined;
  const headers = await visitorHeaders(identify && createVisitorTokens(identify), asker);
  const options: LanguageModelV4CallOptions = {
    ...(identify && { headers }),
    prompt: [
      { role: "system", content: instructions },
      { role: "user", content: [{ type: "text", text: prompt }] },
    ],
    maxOutputTokens,
    abortSignal: signal,
  };
  const metered = { modelId: id, purpose, report: onUsage };
  const retries = { clock, signal, onRetry: (retry: Retry) => onAgain?.({ modelId: id, ...retry }) };
  const request = async (more: Pick<LanguageModelV4CallOptions, "reasoning">) => {
    try {
      const text = await withRetries(() => generate(languageModel, { ...options, ...more }, metered), retries);
      return reasoningTag ? behindLast(`</${reasoningTag}>`, text) : text;
    } catch (error) {
      throw toModelError(error, false);
    }
  };
  if (exchangeReasoning === undefined) return request({});
  return request({ reasoning: exchangeReasoning }).catch((error: unknown) => {
    // Some models of a provider do not support the effort.
    if (error instanceof ModelError && error.status === 400) return request({});
    throw error;
  });
}

async function generate(
  languageModel: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  metered: RequestMeterOptions,
): Promise<string> {
  const meter = new RequestMeter(options, metered);
  try {
    const { content, usage } = await languageModel.doGenerate(options);
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
    meter.setUsage(usage);
    meter.addReceived(text.length);
    meter.finish();
    return text;
  } finally {
    meter.discard();
  }
}

/**
 * The text after the last closing tag of the model's reasoning. The opening tag may be missing, because the template
 * has opened it.
 */
function behindLast(tag: string, text: string): string {
  const at = text.lastIndexOf(tag);
  return at < 0 ? text : text.slice(at + tag.length);
}

/** The most characters of the question, and of the answer. Their beginnings say what they are about. */
const MAX_EXCERPT_CHARS = 1_500;

/** The most characters that a request adds around the two texts and the instructions. */
const FRAME_CHARS = 200;

/**
 * A question and its answer as the prompt of a request about them; `undefined` when the question has no text.
 *
 * @param maxChars the most characters of the question, and of the answer
 */
export function exchangePrompt(history: readonly Message[], maxChars = MAX_EXCERPT_CHARS): string | undefined {
  const excerptOf = (role: Message["role"]) =>
    excerpt(
      history.find((message) => message.role === role),
      Math.min(maxChars, MAX_EXCERPT_CHARS),
    );
  const question = excerptOf("user");
  if (!question) return undefined;
  const answer = excerptOf("assistant");
  return `<visitor>\n${question}\n</visitor>${answer ? `\n<assistant>\n${answer}\n</assistant>` : ""}`;
}

function excerpt(message: Message | undefined, maxChars: number): string | undefined {
  const text = message ? textOf(message).trim().slice(0, Math.max(0, maxChars)).toWellFormed() : "";
  return text === "" ? undefined : text;
}
