import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import type { Part } from "@nitka/protocol";
import { isMissingToolsNotice } from "../missing-tools.ts";
import { truncateText } from "./truncate-text.ts";

/** The most characters of one tool result in a prompt. */
export const MAX_RESULT_CHARS = 50_000;

/** The result of a denied tool call, for the model. */
export const DENIED = "The visitor denied this call, so the tool did not run.";

/**
 * The assistant's text between tool results and a user message. Mistral's models refuse a user message directly after a
 * tool result.
 */
const ENDED = "(The answer ends here.)";
export const FILES_FOLLOW = "(The files of these tools follow.)";

type ToolCallPart = Extract<Part, { readonly type: "tool-call" }>;

type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

/**
 * An earlier answer as messages of a prompt. An answer with tool calls becomes several messages: text and tool calls,
 * tool results, text. Reasoning is left out, because a provider accepts only its own. A tool call without a result is
 * left out, unless the visitor has denied it, which the model must know. An answer that ends with results gets a last
 * sentence.
 *
 * @example
 * // parts:    text "Let me look." · tool-call get_weather, with a result · text "Sunny."
 * // messages: assistant (text, tool-call) · tool (tool-result) · assistant (text)
 */
export function answerTurns(parts: readonly Part[]): readonly LanguageModelV4Message[] {
  const turns: LanguageModelV4Message[] = [];
  let content: AssistantPart[] = [];
  let results: LanguageModelV4ToolResultPart[] = [];
  const close = () => {
    if (content.length > 0) turns.push({ role: "assistant", content: content });
    if (results.length > 0) turns.push({ role: "tool", content: results });
    content = [];
    results = [];
  };
  for (const part of parts) {
    if (part.type === "text" && part.text.trim() !== "" && !isMissingToolsNotice(part.text)) {
      if (results.length > 0) close();
      content.push({ type: "text", text: part.text });
    } else if (part.type === "tool-call" && isOver(part) && part.toolName !== "") {
      const { toolCallId, toolName } = part;
      content.push({ type: "tool-call", toolCallId, toolName, input: inputOf(part.args, part.argsText) });
      results.push({
        type: "tool-result",
        toolCallId,
        toolName,
        output: outputOf(part),
      });
    }
  }
  if (results.length > 0) {
    close();
    content.push({ type: "text", text: ENDED });
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

/** Whether a value can be the arguments of a call: providers and tool servers only accept an object. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether the tool has returned, or will not run because the visitor has denied the call. */
function isOver({ result, approval }: ToolCallPart): boolean {
  return result !== undefined || approval === "denied";
}

function outputOf({ result, isError = false, approval }: ToolCallPart): LanguageModelV4ToolResultPart["output"] {
  if (approval === "denied") return { type: "execution-denied", reason: DENIED };
  const text = typeof result === "string" ? result : (JSON.stringify(result) ?? "null");
  return { type: isError ? "error-text" : "text", value: truncateText(text, MAX_RESULT_CHARS) };
}
