import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import { MAX_RESULT_CHARS } from "./answer-turns.ts";
import { cutText } from "./cut-text.ts";
import { messageChars, outputChars } from "./prompt-chars.ts";

/** The steps of a run with their tools' results cut to the room that there is: the newest have it first. */
export function fitResults(steps: readonly LanguageModelV4Message[], room: number): readonly LanguageModelV4Message[] {
  let left = room - steps.reduce((sum, message) => sum + (message.role === "tool" ? 0 : messageChars(message)), 0);
  const fitted: LanguageModelV4Message[] = [];
  for (const message of steps.toReversed()) {
    if (message.role !== "tool") {
      fitted.push(message);
      continue;
    }
    const content: typeof message.content = [];
    for (const part of message.content) {
      if (part.type !== "tool-result") continue;
      const output = fitOutput(part.output, Math.min(Math.max(0, left), MAX_RESULT_CHARS));
      left -= outputChars(output);
      content.push({ ...part, output });
    }
    fitted.push({ ...message, content });
  }
  return fitted.toReversed();
}

type Output = LanguageModelV4ToolResultPart["output"];

function fitOutput(output: Output, room: number): Output {
  if (outputChars(output) <= room || output.type === "execution-denied") return output;
  const isError = output.type === "error-text" || output.type === "error-json";
  return { type: isError ? "error-text" : "text", value: cutText(textOf(output), room) };
}

function textOf(output: Exclude<Output, { type: "execution-denied" }>): string {
  if (output.type === "content") return output.value.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  return typeof output.value === "string" ? output.value : JSON.stringify(output.value);
}
