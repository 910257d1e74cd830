import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { StreamEvent } from "@nitka/protocol";
import { dataUrlOf } from "@nitka/protocol/data-url";
import { toolFilesOf, withToolFiles } from "../../tool-files.ts";
import { errorText } from "./tool-calls.ts";
import type { ToolCallOutcome, ParsedToolCall } from "./tool-calls.ts";

/** The most characters of a tool result in an event. Longer results help neither the visitor nor later questions. */
const MAX_OUTPUT_CHARS = 100_000;

/**
 * Translates the stream parts of a model and the results of its tools into the events of one answer. Providers reuse
 * block ids in each step, and some number the tool calls of each step from zero, so ids are made unique within the
 * answer.
 */
export class AnswerEvents {
  readonly #blockIds = new Map<string, string>();
  readonly #toolCallIds = new Map<string, string>();
  #count = 0;
  #usedToolCallIds = new Set<string>();

  /** Forgets the ids of the previous step, which the provider may reuse. */
  startStep(): StreamEvent {
    this.#blockIds.clear();
    this.#toolCallIds.clear();
    return { type: "start-step" };
  }

  /** The event for a stream part; `undefined` for a part without one. */
  translate(part: LanguageModelV4StreamPart): StreamEvent | undefined {
    switch (part.type) {
      case "text-delta":
        return { type: "text-delta", id: this.#blockId(part.id), delta: part.delta };
      case "reasoning-delta":
        return { type: "reasoning-delta", id: this.#blockId(part.id), delta: part.delta };
      case "text-start":
        return { type: "text-start", id: this.#addBlockId("t", part.id) };
      case "reasoning-start":
        return { type: "reasoning-start", id: this.#addBlockId("r", part.id) };
      case "text-end":
        return { type: "text-end", id: this.#blockId(part.id) };
      case "reasoning-end":
        return { type: "reasoning-end", id: this.#blockId(part.id) };
      case "tool-input-start":
        return { type: "tool-input-start", toolCallId: this.#addToolCallId(part.id), toolName: part.toolName };
      case "tool-input-delta":
        return { type: "tool-input-delta", toolCallId: this.toolCallId(part.id), inputTextDelta: part.delta };
      case "tool-result":
        if (part.preliminary) return undefined;
        return part.isError
          ? {
              type: "tool-output-error",
              toolCallId: this.toolCallId(part.toolCallId),
              errorText: truncate(errorText(part.result)),
            }
          : {
              type: "tool-output-available",
              toolCallId: this.toolCallId(part.toolCallId),
              output: truncateOutput(part.result),
            };
      case "source":
        return part.sourceType === "url"
          ? { type: "source-url", sourceId: this.#nextId("s"), url: part.url, title: part.title }
          : { type: "source-document", sourceId: this.#nextId("s"), title: part.title, mediaType: part.mediaType };
      case "file":
        return { type: "file", url: urlOf(part), mediaType: part.mediaType };
      default:
        return undefined;
    }
  }

  /** The event for a tool call whose arguments are complete. */
  toolCalled({ toolCallId, toolName, value: input, problem }: ParsedToolCall): StreamEvent {
    const call = { toolCallId: this.toolCallId(toolCallId), toolName, input };
    return problem === undefined
      ? { type: "tool-input-available", ...call }
      : { type: "tool-input-error", ...call, errorText: problem };
  }

  /** @param toolCallId the call's id in the answer */
  toolReturned(toolCallId: string, result: NonNullable<ToolCallOutcome["result"]>): StreamEvent {
    return result.type === "output"
      ? { type: "tool-output-available", toolCallId, output: truncateOutput(result.output) }
      : { type: "tool-output-error", toolCallId, errorText: truncate(errorText(result.error)) };
  }

  /** The id in the answer for the provider's id of a tool call. */
  toolCallId(id: string): string {
    return this.#toolCallIds.get(id) ?? this.#addToolCallId(id);
  }

  #nextId(prefix: string): string {
    this.#count += 1;
    return `${prefix}${this.#count}`;
  }

  #addBlockId(prefix: string, id: string): string {
    const own = this.#nextId(prefix);
    this.#blockIds.set(id, own);
    return own;
  }

  #blockId(id: string): string {
    return this.#blockIds.get(id) ?? this.#addBlockId("t", id);
  }

  #addToolCallId(id: string): string {
    const own = id === "" || this.#usedToolCallIds.has(id) ? this.#nextId(`${id}-`) : id;
    this.#usedToolCallIds.add(own);
    this.#toolCallIds.set(id, own);
    return own;
  }
}

function urlOf({ data, mediaType }: Extract<LanguageModelV4StreamPart, { type: "file" }>): string {
  if (data.type === "url") return data.url.href;
  return dataUrlOf(mediaType, typeof data.data === "string" ? data.data : Buffer.from(data.data).toString("base64"));
}

/** The output itself, or the beginning of its text when it is too long. Its files do not count. */
function truncateOutput(output: unknown): unknown {
  const words = withToolFiles(output, ({ type, mimeType }) => ({ type, mimeType }));
  const text = typeof words === "string" ? words : (JSON.stringify(words) ?? "");
  if (text.length <= MAX_OUTPUT_CHARS) return output ?? null;
  const files = toolFilesOf(output);
  return files.length === 0 ? truncate(text) : { content: [{ type: "text", text: truncate(text) }, ...files] };
}

function truncate(text: string): string {
  return text.length <= MAX_OUTPUT_CHARS
    ? text
    : `${text.slice(0, MAX_OUTPUT_CHARS).toWellFormed()}… (${text.length} characters)`;
}
