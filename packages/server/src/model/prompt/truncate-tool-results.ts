import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import { MAX_RESULT_CHARS } from "./answer-turns.ts";
import { truncateText } from "./truncate-text.ts";
import { messageChars, outputChars } from "./prompt-chars.ts";

/** Cuts the tool results in the messages of a run to the budget. The newest results get their share first. */
export function truncateToolResults(
  steps: readonly LanguageModelV4Message[],
  budget: number,
): readonly LanguageModelV4Message[] {
  let left = budget - steps.reduce((sum, message) => sum + (message.role === "tool" ? 0 : messageChars(message)), 0);
  const truncated: LanguageModelV4Message[] = [];
  for (const message of steps.toReversed()) {
    if (message.role !== "tool") {
      truncated.push(message);
      continue;
    }
    const content: typeof message.content = [];
    for (const part of message.content) {
      if (part.type !== "tool-result") continue;
      const output = truncateOutput(part.output, Math.min(Math.max(0, left), MAX_RESULT_CHARS));
      left -= outputChars(output);
      content.push({ ...part, output });
    }
    truncated.push({ ...message, content });
  }
  return truncated.toReversed();
}

type Output = LanguageModelV4ToolResultPart["output"];

function truncateOutput(output: Output, budget: number): Output {
  if (outputChars(output) <= budget || output.type === "execution-denied") return output;
  const isError = output.type === "error-text" || output.type === "error-json";
  return { type: isError ? "error-text" : "text", value: truncateText(textOf(output), budget) };
}

function textOf(output: Exclude<Output, { type: "execution-denied" }>): string {
  if (output.type === "content") return output.value.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  return typeof output.value === "string" ? output.value : JSON.stringify(output.value);
}
