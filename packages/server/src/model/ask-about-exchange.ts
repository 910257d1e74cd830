import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { RequestMeter } from "./request-meter.ts";
import type { ModelCall, TitleRequest } from "./model.ts";
import { exchangePrompt } from "./exchange-prompt.ts";
import { toModelError } from "./to-model-error.ts";

/** A title or a few questions are short. The rest is for models that reason first. */
const OUTPUT_TOKENS = 1_000;

/**
 * Asks a language model something about an exchange, in a request of its own without tools.
 *
 * @returns what it wrote; `undefined`, without a request, when the question has no text
 */
export async function askAboutExchange(
  { id, languageModel }: { readonly id: string; readonly languageModel: LanguageModelV4 },
  { history, signal, onUsage = () => undefined }: TitleRequest,
  { purpose, instructions }: { readonly purpose: ModelCall["purpose"]; readonly instructions: string },
): Promise<string | undefined> {
  const prompt = exchangePrompt(history);
  if (prompt === undefined) return undefined;
  const options: LanguageModelV4CallOptions = {
    prompt: [
      { role: "system", content: instructions },
      { role: "user", content: [{ type: "text", text: prompt }] },
    ],
    maxOutputTokens: OUTPUT_TOKENS,
    abortSignal: signal,
  };
  const meter = new RequestMeter(options, { modelId: id, purpose, report: onUsage });
  try {
    const { content, usage } = await languageModel.doGenerate(options);
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
    meter.setUsage(usage);
    meter.addReceived(text.length);
    meter.finish();
    return text;
  } catch (error) {
    throw toModelError(error, false);
  } finally {
    meter.discard();
  }
}
