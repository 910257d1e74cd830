import type {
  LanguageModelV4Message,
  LanguageModelV4ReasoningPart,
  LanguageModelV4StreamPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import { FILES_FOLLOW, isObject } from "../prompt/answer-turns.ts";
import { reallyOf } from "../wire/tag-splitter.ts";
import type { BlockType } from "../wire/tag-splitter.ts";
import type { UserPart } from "../prompt/user-pieces.ts";
import type { ParsedToolCall } from "./tool-calls.ts";

type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

type Block = Mutable<LanguageModelV4TextPart | LanguageModelV4ReasoningPart>;

/** Collects a model's output and tool calls of one step, for the next request. */
export class StepContent {
  readonly #assistantParts: AssistantPart[] = [];
  readonly #blocks: Readonly<Record<BlockType, Map<string, Block>>> = { text: new Map(), reasoning: new Map() };
  readonly #toolCalls = new Map<string, ParsedToolCall>();
  readonly #behind = new Map<string, readonly UserPart[]>();
  readonly #toolResults = new Map<string, LanguageModelV4ToolResultPart>();

  /** Adds a stream part. Parts that the next request does not need are ignored. */
  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.#open(part.type === "text-start" ? "text" : "reasoning", part.id, part.providerMetadata);
        break;
      case "text-delta":
      case "reasoning-delta": {
        const type = part.type === "text-delta" ? "text" : "reasoning";
        const block = this.#blocks[type].get(part.id) ?? this.#open(type, part.id, undefined);
        block.text += part.delta;
        if (part.providerMetadata) block.providerOptions = part.providerMetadata;
        break;
      }
      case "text-end":
      case "reasoning-end": {
        const block = this.#blocks[part.type === "text-end" ? "text" : "reasoning"].get(part.id);
        const really = reallyOf(part);
        if (block && really) {
          block.type = really;
          break;
        }
        // Reasoning gets its signature at its end, and providers refuse reasoning without it.
        if (block && part.providerMetadata) block.providerOptions = part.providerMetadata;
        break;
      }
      case "file":
      case "reasoning-file":
        this.#assistantParts.push({
          type: part.type,
          data: part.data,
          mediaType: part.mediaType,
          ...providerOptionsOf(part),
        });
        break;
      case "tool-result": {
        if (part.preliminary) break;
        const output = { type: part.isError ? "error-json" : "json", value: part.result } as const;
        const { toolCallId, toolName } = part;
        this.#assistantParts.push({ type: "tool-result", toolCallId, toolName, output, ...providerOptionsOf(part) });
        break;
      }
      default:
    }
  }

  addToolCall(call: ParsedToolCall): void {
    const { toolCallId, toolName, value, problem, providerExecuted } = call;
    this.#toolCalls.set(toolCallId, call);
    this.#assistantParts.push({
      type: "tool-call",
      toolCallId,
      toolName,
      input: isObject(value) ? value : {},
      ...(providerExecuted === undefined ? {} : { providerExecuted }),
      ...providerOptionsOf(call),
    });
    if (problem !== undefined) this.addToolResult(toolCallId, { type: "error-text", value: problem });
  }

  /** @param behind parts of a user message after the results of all tools */
  addToolResult(toolCallId: string, output: LanguageModelV4ToolResultOutput, behind: readonly UserPart[] = []): void {
    const call = this.#toolCalls.get(toolCallId);
    if (!call) return;
    this.#behind.set(toolCallId, behind);
    const { toolName } = call;
    this.#toolResults.set(toolCallId, {
      type: "tool-result",
      toolCallId,
      toolName,
      output,
      ...providerOptionsOf(call),
    });
  }

  /** Whether a tool call was invalid. The model then gets the reason in another request. */
  get hasInvalidToolCalls(): boolean {
    return [...this.#toolCalls.values()].some(({ problem }) => problem !== undefined);
  }

  /** The tool calls that have no result and that the provider does not execute itself. */
  pendingToolCalls(): readonly ParsedToolCall[] {
    return [...this.#toolCalls.values()].filter(
      ({ toolCallId, providerExecuted }) => !providerExecuted && !this.#toolResults.has(toolCallId),
    );
  }

  /**
   * The step as messages: the assistant's parts, then the tool results, then their files, in the order of the calls.
   */
  messages(): readonly LanguageModelV4Message[] {
    const parts = this.#assistantParts.filter(
      (part) => part.type !== "text" || part.text !== "" || part.providerOptions,
    );
    const results = [...this.#toolCalls.keys()].flatMap((id) => this.#toolResults.get(id) ?? []);
    const behind = [...this.#toolCalls.keys()].flatMap((id) => this.#behind.get(id) ?? []);
    const messages: LanguageModelV4Message[] = [];
    if (parts.length > 0) messages.push({ role: "assistant", content: parts });
    if (results.length > 0) messages.push({ role: "tool", content: results });
    if (behind.length > 0) {
      messages.push({ role: "assistant", content: [{ type: "text", text: FILES_FOLLOW }] });
      messages.push({ role: "user", content: behind });
    }
    return messages;
  }

  #open(type: BlockType, id: string, providerMetadata: SharedV4ProviderMetadata | undefined) {
    const block: Block = { type, text: "", ...providerOptionsOf({ providerMetadata }) };
    this.#blocks[type].set(id, block);
    this.#assistantParts.push(block);
    return block;
  }
}

/** The provider's metadata of a part, as options for the next request, if the provider expects them back. */
function providerOptionsOf({ providerMetadata }: { readonly providerMetadata?: SharedV4ProviderMetadata | undefined }) {
  return providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
}
