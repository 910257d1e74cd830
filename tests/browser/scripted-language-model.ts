import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { customProvider } from "ai";
import { convertArrayToReadableStream, MockLanguageModelV4 } from "ai/test";

/** What the model sees of a request: the roles and the texts of its messages. */
export type Prompt = readonly (readonly [role: string, text: string])[];

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model of the AI SDK that thinks, looks up the weather, and then answers with a text that counts its answers. */
export function createScriptedLanguageModel(): { readonly model: MockLanguageModelV4; readonly prompts: Prompt[] } {
  const prompts: Prompt[] = [];
  let answers = 0;
  const stream = (parts: readonly LanguageModelV4StreamPart[], reason: "stop" | "tool-calls") => ({
    stream: convertArrayToReadableStream<LanguageModelV4StreamPart>([
      { type: "stream-start", warnings: [] },
      ...parts,
      { type: "finish", finishReason: { unified: reason, raw: reason }, usage },
    ]),
  });
  const model = new MockLanguageModelV4({
    doStream: async ({ prompt }) => {
      if (prompt.at(-1)?.role !== "tool") {
        prompts.push(prompt.map((message) => [message.role, textIn(message)]));
        return stream(
          [
            { type: "reasoning-start", id: "r" },
            { type: "reasoning-delta", id: "r", delta: "Спрошу " },
            { type: "reasoning-delta", id: "r", delta: "погоду." },
            { type: "reasoning-end", id: "r" },
            { type: "tool-call", toolCallId: `call-${answers}`, toolName: "weather", input: '{"city":"Омск"}' },
          ],
          "tool-calls",
        );
      }
      answers += 1;
      return stream(
        [
          { type: "text-start", id: "t" },
          ...["В Омске ", "**18°**", `, ответ ${answers}.`].map((delta) => ({
            type: "text-delta" as const,
            id: "t",
            delta,
          })),
          { type: "text-end", id: "t" },
        ],
        "stop",
      );
    },
  });
  return { model, prompts };
}

/** Answers the ids of models with this model until the function that it returns is called. */
export function provideModel(modelId: string, model: MockLanguageModelV4): () => void {
  const before = globalThis.AI_SDK_DEFAULT_PROVIDER;
  globalThis.AI_SDK_DEFAULT_PROVIDER = customProvider({ languageModels: { [modelId]: model } });
  return () => {
    globalThis.AI_SDK_DEFAULT_PROVIDER = before;
  };
}

function textIn({ content }: LanguageModelV4CallOptions["prompt"][number]): string {
  if (typeof content === "string") return content;
  return content.map((part) => ("text" in part ? part.text : part.type)).join(" ");
}
