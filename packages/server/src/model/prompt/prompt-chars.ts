/** The length of a prompt in characters, for a project's limit and for estimates of tokens. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import { FILE_CHARS } from "../model.ts";

/** For estimates, when the upstream does not count tokens. */
export const CHARS_PER_TOKEN = 4;

/** The share of a window that is reserved for the answer when no limit is set, and the most tokens of that share. */
const ANSWER_SHARE = 1 / 4;
const MAX_ANSWER_TOKENS = 4_096;

/**
 * The tokens of a model's window that are reserved for the answer: its limit if one is set, or a share of the window.
 *
 * @example answerTokens(8_192) // 2048
 */
export function answerTokens(contextTokens: number, maxOutputTokens?: number): number {
  return maxOutputTokens ?? Math.min(Math.floor(ANSWER_SHARE * contextTokens), MAX_ANSWER_TOKENS);
}

/** The most characters to send to a model with this window; `undefined` for an unknown window. */
export function windowChars(contextTokens: number | undefined, maxOutputTokens?: number): number | undefined {
  if (contextTokens === undefined) return undefined;
  return CHARS_PER_TOKEN * Math.max(0, contextTokens - answerTokens(contextTokens, maxOutputTokens));
}

/** The length of one message in characters. A file counts as `FILE_CHARS`, whatever its size. */
export function messageChars({ content }: LanguageModelV4Message): number {
  if (typeof content === "string") return content.length;
  return content.reduce((sum, part) => sum + partChars(part), 0);
}

/** The length of the tools' declarations, which each request repeats. */
export function toolsChars(tools: LanguageModelV4CallOptions["tools"]): number {
  return tools === undefined || tools.length === 0 ? 0 : JSON.stringify(tools).length;
}

/** The length of a tool's result as the model gets it. */
export function outputChars(output: LanguageModelV4ToolResultOutput): number {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value.length;
    case "json":
    case "error-json":
      return JSON.stringify(output.value).length;
    case "execution-denied":
      return output.reason?.length ?? 0;
    case "content":
      return output.value.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : FILE_CHARS), 0);
    default:
      return output satisfies never;
  }
}

function partChars(part: Exclude<LanguageModelV4Message["content"], string>[number]): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.text.length;
    case "file":
    case "reasoning-file":
      return FILE_CHARS;
    case "tool-call":
      return part.toolName.length + jsonOf(part.input).length;
    case "tool-result":
      return outputChars(part.output);
    default:
      return 0;
  }
}

function jsonOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
