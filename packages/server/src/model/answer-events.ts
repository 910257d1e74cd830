import type { StreamEvent } from "@nitka/protocol";
import type { TextStreamPart, ToolSet } from "ai";

/** A tool's result is for people to read and for the next turn to remember: more than this helps neither. */
const MAX_OUTPUT_CHARS = 100_000;

/**
 * Translates what the AI SDK streams into the events of one answer. Its ids repeat between steps, and some providers
 * number every answer's tool calls from nought: here each id is used once in the answer.
 */
export class AnswerEvents {
  readonly #blocks = new Map<string, string>();
  readonly #calls = new Map<string, string>();
  #count = 0;
  #usedCalls = new Set<string>();

  /** The events that a part of the stream makes: one, or none. */
  of(part: TextStreamPart<ToolSet>): StreamEvent | undefined {
    switch (part.type) {
      case "text-delta":
        return { type: "text-delta", id: this.#block(part.id), delta: part.text };
      case "reasoning-delta":
        return { type: "reasoning-delta", id: this.#block(part.id), delta: part.text };
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
      case "tool-call": {
        const call = { toolCallId: this.#call(part.toolCallId), toolName: part.toolName, input: part.input };
        return part.invalid
          ? { type: "tool-input-error", ...call, errorText: textOf(part.error) }
          : { type: "tool-input-available", ...call };
      }
      case "tool-result":
        return part.preliminary
          ? undefined
          : { type: "tool-output-available", toolCallId: this.#call(part.toolCallId), output: bounded(part.output) };
      case "tool-error":
        return { type: "tool-output-error", toolCallId: this.#call(part.toolCallId), errorText: textOf(part.error) };
      case "source":
        return part.sourceType === "url"
          ? { type: "source-url", sourceId: this.#next("s"), url: part.url, title: part.title }
          : { type: "source-document", sourceId: this.#next("s"), title: part.title, mediaType: part.mediaType };
      case "file":
        return {
          type: "file",
          url: `data:${part.file.mediaType};base64,${part.file.base64}`,
          mediaType: part.file.mediaType,
        };
      case "start-step":
        // Ids of the step before mean other things from here on.
        this.#blocks.clear();
        this.#calls.clear();
        return { type: "start-step" };
      case "finish-step":
        return { type: "finish-step" };
      default:
        return undefined;
    }
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

function textOf(error: unknown): string {
  return (error instanceof Error ? error.message : typeof error === "string" ? error : JSON.stringify(error)).slice(
    0,
    MAX_OUTPUT_CHARS,
  );
}

/** The output as it is, unless it is too long: then the beginning of its text. */
function bounded(output: unknown): unknown {
  const text = typeof output === "string" ? output : (JSON.stringify(output) ?? "");
  if (text.length <= MAX_OUTPUT_CHARS) return output ?? null;
  return `${text.slice(0, MAX_OUTPUT_CHARS)}… (${text.length} characters)`;
}
