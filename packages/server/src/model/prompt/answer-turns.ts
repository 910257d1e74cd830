import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import type { Part } from "@nitka/protocol";
import { isMissingSentence } from "../missing-tools.ts";
import { cutText } from "./cut-text.ts";

/** Of one tool's result, in characters. */
export const MAX_RESULT_CHARS = 50_000;

type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

/**
 * An answer of the conversation as the model gets it. With tools it is several turns: what was said and called, what the
 * tools returned, what was said then. Reasoning is left out: providers take it back from themselves alone.
 */
export function answerTurns(parts: readonly Part[]): readonly LanguageModelV4Message[] {
  const turns: LanguageModelV4Message[] = [];
  let said: AssistantPart[] = [];
  let returned: LanguageModelV4ToolResultPart[] = [];
  const close = () => {
    if (said.length > 0) turns.push({ role: "assistant", content: said });
    if (returned.length > 0) turns.push({ role: "tool", content: returned });
    said = [];
    returned = [];
  };
  for (const part of parts) {
    if (part.type === "text" && part.text.trim() !== "" && !isMissingSentence(part.text)) {
      if (returned.length > 0) close();
      said.push({ type: "text", text: part.text });
    } else if (part.type === "tool-call" && part.result !== undefined && part.toolName !== "") {
      const { toolCallId, toolName } = part;
      said.push({ type: "tool-call", toolCallId, toolName, input: inputOf(part.args, part.argsText) });
      returned.push({
        type: "tool-result",
        toolCallId,
        toolName,
        output: outputOf(part.result, part.isError ?? false),
      });
    }
  }
  close();
  return turns;
}

function inputOf(args: unknown, argsText: string): unknown {
  if (isObject(args)) return args;
  try {
    const parsed: unknown = JSON.parse(argsText);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function outputOf(result: unknown, isError: boolean): LanguageModelV4ToolResultPart["output"] {
  const text = typeof result === "string" ? result : (JSON.stringify(result) ?? "null");
  return { type: isError ? "error-text" : "text", value: cutText(text, MAX_RESULT_CHARS) };
}
