import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { StreamEvent } from "@nitka/protocol";
import { errorText } from "./tool-calls.ts";
import type { CallOutcome, ParsedCall } from "./tool-calls.ts";

/** A tool's result is for people to read and for the next turn to remember: more than this helps neither. */
const MAX_OUTPUT_CHARS = 100_000;

/**
 * Translates what a model streams, and what its tools return, into the events of one answer. A provider's ids repeat
 * between steps, and some number every answer's tool calls from nought: here each id is used once in the answer.
 */
export class AnswerEvents {
  readonly #blocks = new Map<string, string>();
  readonly #calls = new Map<string, string>();
  #count = 0;
  #usedCalls = new Set<string>();

  /** From here on the ids of the step before mean other things. */
  startStep(): StreamEvent {
    this.#blocks.clear();
    this.#calls.clear();
    return { type: "start-step" };
  }

  /** The event that a part of the stream makes; `undefined` for one that nobody is told of. */
  of(part: LanguageModelV4StreamPart): StreamEvent | undefined {
    switch (part.type) {
      case "text-delta":
        return { type: "text-delta", id: this.#block(part.id), delta: part.delta };
      case "reasoning-delta":
        return { type: "reasoning-delta", id: this.#block(part.id), delta: part.delta };
      case "text-start":
        return { type: "text-start", id: this.#openBlock("t", part.id) };
      case "reasoning-start":
        return { type: "reasoning-start", id: this.#openBlock("r", part.id) };
      case "text-end":
        return { type: "text-end", id: this.#block(part.id) };
      case "reasoning-end":
        return { type: "reasoning-end", id: this.#block(part.id) };
      case "tool-input-start":
        return { type: "tool-input-start", toolCallId: this.#openCall(part.id), toolName: part.toolName };
      case "tool-input-delta":
        return { type: "tool-input-delta", toolCallId: this.#call(part.id), inputTextDelta: part.delta };
      case "tool-result":
        if (part.preliminary) return undefined;
        return part.isError
          ? {
              type: "tool-output-error",
              toolCallId: this.#call(part.toolCallId),
              errorText: bounded(errorText(part.result)),
            }
          : {
              type: "tool-output-available",
              toolCallId: this.#call(part.toolCallId),
              output: boundedOutput(part.result),
            };
      case "source":
        return part.sourceType === "url"
          ? { type: "source-url", sourceId: this.#next("s"), url: part.url, title: part.title }
          : { type: "source-document", sourceId: this.#next("s"), title: part.title, mediaType: part.mediaType };
      case "file":
        return { type: "file", url: urlOf(part), mediaType: part.mediaType };
      default:
        return undefined;
    }
  }

  /** A call whose arguments are whole. */
  called({ toolCallId, toolName, value: input, problem }: ParsedCall): StreamEvent {
    const call = { toolCallId: this.#call(toolCallId), toolName, input };
    return problem === undefined
      ? { type: "tool-input-available", ...call }
      : { type: "tool-input-error", ...call, errorText: problem };
  }

  returned({ toolCallId, result }: CallOutcome): StreamEvent {
    const id = this.#call(toolCallId);
    return result.type === "output"
      ? { type: "tool-output-available", toolCallId: id, output: boundedOutput(result.output) }
      : { type: "tool-output-error", toolCallId: id, errorText: bounded(errorText(result.error)) };
  }

  #next(prefix: string): string {
    this.#count += 1;
    return `${prefix}${this.#count}`;
  }

  #openBlock(prefix: string, id: string): string {
    const own = this.#next(prefix);
    this.#blocks.set(id, own);
    return own;
  }

  #block(id: string): string {
    return this.#blocks.get(id) ?? this.#openBlock("t", id);
  }

  #openCall(id: string): string {
    const own = id === "" || this.#usedCalls.has(id) ? this.#next(`${id}-`) : id;
    this.#usedCalls.add(own);
    this.#calls.set(id, own);
    return own;
  }

  #call(id: string): string {
    return this.#calls.get(id) ?? this.#openCall(id);
  }
}

function urlOf({ data, mediaType }: Extract<LanguageModelV4StreamPart, { type: "file" }>): string {
  if (data.type === "url") return data.url.href;
  return `data:${mediaType};base64,${typeof data.data === "string" ? data.data : Buffer.from(data.data).toString("base64")}`;
}

/** The output as it is, unless it is too long: then the beginning of its text. */
function boundedOutput(output: unknown): unknown {
  const text = typeof output === "string" ? output : (JSON.stringify(output) ?? "");
  return text.length <= MAX_OUTPUT_CHARS ? (output ?? null) : bounded(text);
}

function bounded(text: string): string {
  return text.length <= MAX_OUTPUT_CHARS
    ? text
    : `${text.slice(0, MAX_OUTPUT_CHARS).toWellFormed()}… (${text.length} characters)`;
}
