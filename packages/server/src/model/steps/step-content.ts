import type {
  LanguageModelV4Message,
  LanguageModelV4ReasoningPart,
  LanguageModelV4StreamPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import type { ParsedCall } from "./tool-calls.ts";

type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What a model wrote and called in one step, as the next step sends it back. */
export class StepContent {
  readonly #said: AssistantPart[] = [];
  readonly #blocks = new Map<string, Mutable<LanguageModelV4TextPart | LanguageModelV4ReasoningPart>>();
  readonly #calls = new Map<string, ParsedCall>();
  readonly #returned = new Map<string, LanguageModelV4ToolResultPart>();

  take(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.#open(part.type === "text-start" ? "text" : "reasoning", part.id, part.providerMetadata);
        break;
      case "text-delta":
      case "reasoning-delta": {
        const type = part.type === "text-delta" ? "text" : "reasoning";
        const block = this.#blocks.get(`${type} ${part.id}`) ?? this.#open(type, part.id, undefined);
        block.text += part.delta;
        if (part.providerMetadata) block.providerOptions = part.providerMetadata;
        break;
      }
      case "text-end":
      case "reasoning-end": {
        const block = this.#blocks.get(`${part.type === "text-end" ? "text" : "reasoning"} ${part.id}`);
        // A thought is signed at its end: its provider takes it back with the signature alone.
        if (block && part.providerMetadata) block.providerOptions = part.providerMetadata;
        break;
      }
      case "file":
      case "reasoning-file":
        this.#said.push({ type: part.type, data: part.data, mediaType: part.mediaType, ...marked(part) });
        break;
      case "tool-result": {
        if (part.preliminary) break;
        const output = { type: part.isError ? "error-json" : "json", value: part.result } as const;
        const { toolCallId, toolName } = part;
        this.#said.push({ type: "tool-result", toolCallId, toolName, output, ...marked(part) });
        break;
      }
      default:
    }
  }

  called(call: ParsedCall): void {
    const { toolCallId, toolName, value, problem, providerExecuted } = call;
    this.#calls.set(toolCallId, call);
    // No provider takes arguments back that are no object.
    const input = problem !== undefined && typeof value !== "object" ? {} : value;
    this.#said.push({
      type: "tool-call",
      toolCallId,
      toolName,
      input,
      ...(providerExecuted === undefined ? {} : { providerExecuted }),
      ...marked(call),
    });
    if (problem !== undefined) this.returned(toolCallId, { type: "error-text", value: problem });
  }

  returned(toolCallId: string, output: LanguageModelV4ToolResultOutput): void {
    const call = this.#calls.get(toolCallId);
    if (!call) return;
    const { toolName } = call;
    this.#returned.set(toolCallId, { type: "tool-result", toolCallId, toolName, output, ...marked(call) });
  }

  /** Whether the model called something that cannot be called: it is asked again, knowing why. */
  get hasFailedCalls(): boolean {
    return [...this.#calls.values()].some(({ problem }) => problem !== undefined);
  }

  /** The calls that wait for a result of ours. */
  openCalls(): readonly ParsedCall[] {
    return [...this.#calls.values()].filter(
      ({ toolCallId, providerExecuted }) => !providerExecuted && !this.#returned.has(toolCallId),
    );
  }

  /** The step as messages: what was said, then the results in the order of their calls. */
  messages(): readonly LanguageModelV4Message[] {
    const said = this.#said.filter((part) => part.type !== "text" || part.text !== "" || part.providerOptions);
    const results = [...this.#calls.keys()].flatMap((id) => this.#returned.get(id) ?? []);
    return [
      ...(said.length === 0 ? [] : [{ role: "assistant", content: said } as const]),
      ...(results.length === 0 ? [] : [{ role: "tool", content: results } as const]),
    ];
  }

  #open(type: "text" | "reasoning", id: string, providerMetadata: SharedV4ProviderMetadata | undefined) {
    const block: Mutable<LanguageModelV4TextPart | LanguageModelV4ReasoningPart> = {
      type,
      text: "",
      ...marked({ providerMetadata }),
    };
    this.#blocks.set(`${type} ${id}`, block);
    this.#said.push(block);
    return block;
  }
}

/** What a provider has noted beside a part goes back to it with the part. */
function marked({ providerMetadata }: { readonly providerMetadata?: SharedV4ProviderMetadata | undefined }) {
  return providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
}
