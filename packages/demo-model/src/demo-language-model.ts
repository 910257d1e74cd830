import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { sleep } from "@nitka/server/model-kit";
import type { Clock } from "@nitka/server/model-kit";
import type { Beat } from "./beat.ts";
import { readConversation } from "./conversation.ts";
import { timedParts } from "./pace.ts";
import { readPrompt } from "./read-prompt.ts";
import { scenarioFor } from "./scenarios.ts";

export interface DemoLanguageModelOptions {
  readonly clock: Clock;
  /** How many times faster than normal the model writes. `Infinity` writes everything at once. */
  readonly speed: number;
}

/**
 * The demo as a language model of the AI SDK, so that the server treats it like any other. Each word has a due time
 * from the start of the answer, so a delay of one word does not delay the following ones.
 */
export function createDemoLanguageModel({ clock, speed }: DemoLanguageModelOptions): LanguageModelV4 {
  const attempts = countAttempts();
  let calls = 0;
  const newId = () => {
    calls += 1;
    return `demo-${calls}`;
  };
  const beatsFor = ({ prompt, tools = [] }: LanguageModelV4CallOptions): readonly Beat[] => {
    const { turns, ...read } = readPrompt(prompt);
    const attempt = attempts(JSON.stringify([turns.map(({ role, text }) => [role, text]), read.toolCall?.toolName]));
    const names = new Set(tools.map(({ name }) => name));
    const conversation = readConversation(turns, { ...read, attempt, tools: names });
    return scenarioFor(conversation).answer(conversation);
  };
  return {
    specificationVersion: "v4",
    provider: "nitka",
    modelId: "demo",
    supportedUrls: {},
    doGenerate: async (options) => {
      const beats = beatsFor(options);
      return {
        content: beats.flatMap((beat) => contentOf(beat, newId)),
        finishReason: reasonOf(beats),
        usage: usageOf(options, beats),
        warnings: [],
      };
    },
    doStream: async (options) => {
      const beats = beatsFor(options);
      const signal = options.abortSignal ?? new AbortController().signal;
      return { stream: streamOf(timedParts(beats, newId), finish(options, beats), { clock, speed, signal }) };
    },
  };
}

function streamOf(
  parts: ReturnType<typeof timedParts>,
  last: LanguageModelV4StreamPart,
  { clock, speed, signal }: DemoLanguageModelOptions & { readonly signal: AbortSignal },
): ReadableStream<LanguageModelV4StreamPart> {
  const start = clock.now();
  const remaining = parts[Symbol.iterator]();
  return new ReadableStream<LanguageModelV4StreamPart>({
    start: (controller) => controller.enqueue({ type: "stream-start", warnings: [] }),
    pull: async (controller) => {
      const { done, value } = remaining.next();
      if (done) {
        controller.enqueue(last);
        controller.close();
        return;
      }
      await sleep(clock, start + value.at / speed - clock.now(), signal);
      if (signal.aborted) controller.error(signal.reason);
      else controller.enqueue(value.part);
    },
  });
}

function finish(options: LanguageModelV4CallOptions, beats: readonly Beat[]): LanguageModelV4StreamPart {
  return { type: "finish", finishReason: reasonOf(beats), usage: usageOf(options, beats) };
}

function reasonOf(beats: readonly Beat[]): LanguageModelV4FinishReason {
  const calls = beats.some((beat) => beat.type === "call");
  return calls ? { unified: "tool-calls", raw: "tool_calls" } : { unified: "stop", raw: "stop" };
}

/** Estimates the usage at four characters per token. */
function usageOf({ prompt }: LanguageModelV4CallOptions, beats: readonly Beat[]): LanguageModelV4Usage {
  const asked = Math.ceil(readPrompt(prompt).turns.reduce((sum, turn) => sum + turn.text.length, 0) / 4);
  const text = tokens(beats, "say");
  const reasoning = tokens(beats, "think");
  return {
    inputTokens: { total: asked, noCache: asked, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: text + reasoning, text, reasoning },
  };
}

function tokens(beats: readonly Beat[], type: "say" | "think"): number {
  return Math.ceil(beats.reduce((sum, beat) => (beat.type === type ? sum + beat.text.length : sum), 0) / 4);
}

function contentOf(beat: Beat, newId: () => string): LanguageModelV4Content[] {
  switch (beat.type) {
    case "think":
      return [{ type: "reasoning", text: beat.text }];
    case "say":
      return [{ type: "text", text: beat.text }];
    case "cite":
      return [{ type: "source", sourceType: "url", id: newId(), url: beat.url, title: beat.title }];
    case "show":
      return [{ type: "file", mediaType: beat.mediaType, data: { type: "data", data: beat.data } }];
    case "call":
      return [{ type: "tool-call", toolCallId: newId(), toolName: beat.toolName, input: JSON.stringify(beat.input) }];
    default:
      throw beat.error;
  }
}

const REMEMBERED = 500;

/**
 * Counts how often each key occurred before. A request does not say that an answer is regenerated, so the model
 * recognises the repeated prompt and words its answer differently. The oldest keys are forgotten.
 */
function countAttempts(): (key: string) => number {
  const counts = new Map<string, number>();
  return (key) => {
    const attempt = counts.get(key) ?? 0;
    counts.delete(key);
    counts.set(key, attempt + 1);
    const [oldest] = counts.keys();
    if (counts.size > REMEMBERED && oldest !== undefined) counts.delete(oldest);
    return attempt;
  };
}
