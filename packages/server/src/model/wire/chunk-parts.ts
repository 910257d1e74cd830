import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import { StreamingToolCallTracker } from "@ai-sdk/provider-utils";
import type { StreamingToolCallDelta } from "@ai-sdk/provider-utils";
import { BrokenResponseError } from "../to-model-error.ts";
import type { Json } from "./repaired-chunk.ts";
import type { BlockType } from "./tag-splitter.ts";

type CallDelta = StreamingToolCallDelta & {
  readonly extra_content?: { readonly google?: { readonly thought_signature?: unknown } };
};

type Counts = Readonly<Record<string, number>>;

/** The result of `repairedChunk` for a chunk of a stream. */
interface Chunk {
  readonly error?: unknown;
  readonly usage?: Counts & {
    readonly prompt_tokens_details?: Counts;
    readonly completion_tokens_details?: Counts;
  };
  readonly choices?: readonly { readonly delta: Delta; readonly finish_reason: string | null }[];
}

interface ContentPart {
  readonly type: string;
  readonly text?: unknown;
  readonly thinking?: unknown;
}

interface Delta {
  /** A text, or a list of parts as Mistral sends it. */
  readonly content?: string | readonly ContentPart[];
  readonly refusal?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly CallDelta[];
}

const reasons: Readonly<Record<string, LanguageModelV4FinishReason["unified"]>> = {
  stop: "stop",
  length: "length",
  content_filter: "content-filter",
  function_call: "tool-calls",
  tool_calls: "tool-calls",
};

/**
 * Translates the repaired chunks of a chat completion into the parts of a model's stream. The AI SDK's provider does
 * this with four streams and a schema, which together cost more than all other work for an event.
 */
export class ChunkParts {
  readonly #contentType: string;
  #parts: LanguageModelV4StreamPart[] = [];
  #open: BlockType | undefined;
  #reason: string | undefined;
  #usage: Chunk["usage"];
  #hasBegun = false;
  #hasFailed = false;
  #hasContent = false;
  #hasCalls = false;
  #hasRefusal = false;
  /** The calls that have no name yet, by their index. */
  readonly #nameless = new Map<number, CallDelta>();
  /** The indices of the calls whose names have arrived. */
  readonly #begun = new Set<number>();
  readonly #calls = new StreamingToolCallTracker<CallDelta>(
    { enqueue: (part) => part && this.#parts.push(part) },
    { extractMetadata: signatureOf, buildToolCallProviderMetadata: (metadata) => metadata },
  );

  /** @param contentType the content type of the response, for the log */
  constructor(contentType: string) {
    this.#contentType = contentType;
  }

  get hasFinished(): boolean {
    return this.#reason !== undefined;
  }

  /** The parts of a chunk. */
  of(given: Json): readonly LanguageModelV4StreamPart[] {
    const { error, usage, choices: [choice] = [] } = given as Chunk;
    if (error !== undefined) {
      this.#hasFailed = true;
      this.#parts.push({ type: "error", error });
    }
    this.#hasBegun ||= choice !== undefined;
    this.#usage = usage ?? this.#usage;
    if (choice) this.#take(choice.delta);
    this.#reason = choice?.finish_reason ?? this.#reason;
    return this.#taken();
  }

  /** @param isBroken the response was cut off, unless it contained a finish reason */
  end(isBroken: boolean): readonly LanguageModelV4StreamPart[] {
    this.#close();
    for (const call of this.#nameless.values()) this.#calls.processDelta(call);
    this.#calls.flush();
    if (this.#reason === undefined && this.#hasContent && !isBroken) {
      this.#reason = this.#hasCalls ? "tool_calls" : "stop";
    }
    if (this.#reason === undefined && !this.#hasFailed) {
      const what = this.#hasBegun
        ? "a response that ends without a finish reason"
        : `a response without any part of an answer (content type: ${this.#contentType})`;
      this.#parts.push({ type: "error", error: new BrokenResponseError(what) });
    }
    this.#parts.push({ type: "finish", finishReason: this.#finishReason(), usage: usageOf(this.#usage) });
    return this.#taken();
  }

  #taken(): readonly LanguageModelV4StreamPart[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  #take({ content, refusal = "", reasoning_content: reasoning = "", tool_calls: calls = [] }: Delta): void {
    this.#write("reasoning", reasoning);
    if (typeof content === "string") this.#write("text", content);
    else for (const part of content ?? []) this.#takePart(part);
    this.#hasRefusal ||= refusal !== "";
    this.#write("text", refusal);
    if (calls.length === 0) return;
    if (this.#open === "reasoning") this.#close();
    this.#hasCalls = true;
    this.#hasContent = true;
    for (const call of calls) this.#call(call);
  }

  #takePart(part: ContentPart): void {
    if (part.type === "text" && typeof part.text === "string") this.#write("text", part.text);
    if (part.type === "thinking") this.#write("reasoning", thoughtsIn(part));
  }

  #write(type: BlockType, delta: string): void {
    if (delta === "") return;
    if (this.#open !== type) {
      this.#close();
      this.#open = type;
      this.#parts.push({ type: `${type}-start`, id: type });
    }
    this.#hasContent ||= type === "text";
    this.#parts.push({ type: `${type}-delta`, id: type, delta });
  }

  #close(): void {
    if (this.#open) this.#parts.push({ type: `${this.#open}-end`, id: this.#open });
    this.#open = undefined;
  }

  /** A call begins with its name: some servers send its id, or the first of its arguments, earlier. */
  #call(call: CallDelta): void {
    const { index, function: asked } = call;
    if (index == null || this.#begun.has(index)) {
      this.#calls.processDelta(call);
      return;
    }
    const before = this.#nameless.get(index);
    const joined = {
      ...before,
      ...call,
      id: before?.id ?? call.id ?? null,
      function: { ...asked, arguments: (before?.function?.arguments ?? "") + (asked?.arguments ?? "") },
    };
    if (asked?.name == null) {
      this.#nameless.set(index, joined);
      return;
    }
    this.#nameless.delete(index);
    this.#begun.add(index);
    this.#calls.processDelta(joined);
  }

  #finishReason(): LanguageModelV4FinishReason {
    const raw = this.#reason;
    if (raw === undefined || this.#hasFailed) return { unified: "error", raw };
    return { unified: this.#hasRefusal && raw === "stop" ? "content-filter" : (reasons[raw] ?? "other"), raw };
  }
}

function thoughtsIn({ thinking }: { readonly thinking?: unknown }): string {
  if (!Array.isArray(thinking)) return "";
  const parts = thinking as readonly ({ readonly type?: unknown; readonly text?: unknown } | null)[];
  return parts.map((part) => (part?.type === "text" && typeof part.text === "string" ? part.text : "")).join("");
}

/** Google's signature of a call, which its gateways require back. */
function signatureOf({ extra_content: extra }: CallDelta) {
  const thoughtSignature = extra?.google?.thought_signature;
  return typeof thoughtSignature === "string" ? { google: { thoughtSignature } } : undefined;
}

function usageOf(usage: Chunk["usage"]): LanguageModelV4Usage {
  const sent = usage?.["prompt_tokens"];
  const received = usage?.["completion_tokens"];
  const cached = usage && (usage.prompt_tokens_details?.["cached_tokens"] ?? 0);
  const reasoning = usage && (usage.completion_tokens_details?.["reasoning_tokens"] ?? 0);
  return {
    inputTokens: { total: sent, noCache: sent && sent - (cached ?? 0), cacheRead: cached, cacheWrite: undefined },
    outputTokens: { total: received, text: received && Math.max(0, received - (reasoning ?? 0)), reasoning },
  };
}
