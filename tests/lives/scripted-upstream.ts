/** The language model of a life. Its question says what it does. It remembers every answer that it began. */
import { setTimeout as sleep } from "node:timers/promises";
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Model } from "@nitka/server";
import { createAiSdkModel } from "@nitka/server/ai-sdk";
import type { OpenTools, ToolRun } from "@nitka/server/ai-sdk";
import { INJECTED } from "./fault.ts";
import type { Fault } from "./fault.ts";

/** One answer that the model was asked for. */
export interface Attempt {
  readonly questionId: string;
  readonly instance: string;
  /** The text that it has written so far, in all of its steps. */
  text: string;
  /** Whether it has written everything, so that the answer may be `complete`. */
  isWhole: boolean;
}

/** The commands that a question can give to the model: `say 5`, `look`, `hang 3`. */
export const VERBS = ["say", "think", "look", "pay", "both", "page", "picture", "fail", "stop", "hang"] as const;
export type Verb = (typeof VERBS)[number] | "hold";

export interface ScriptedUpstream {
  readonly attempts: readonly Attempt[];
  /** The number of model generators that have started and not ended. */
  readonly open: () => number;
  /** Makes the answer to this question, which says `hold`, continue to its end. */
  release(tag: string): void;
  /** The model of an instance. The caller decides what a dead instance no longer receives. */
  modelOf(options: ModelOptions): Model;
}

export interface ModelOptions {
  readonly instance: string;
  readonly openTools: (signal: AbortSignal, run: ToolRun) => Promise<OpenTools>;
  readonly knownTools: () => Promise<readonly string[]>;
}

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

/** A PNG of one pixel, in base64: the files of visitors and answers. */
export const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export function createScriptedUpstream(options: {
  readonly faultOf: (call: "stream" | "generate") => Pick<Fault, "how" | "ms"> | undefined;
  /** The title that it gives when it is asked for one. */
  readonly title: string;
}): ScriptedUpstream {
  const attempts: Attempt[] = [];
  const released = new Map<string, PromiseWithResolvers<void>>();
  const releaseOf = (tag: string) => {
    const known = released.get(tag) ?? Promise.withResolvers<void>();
    released.set(tag, known);
    return known;
  };
  let open = 0;

  function languageModel(attempt: Attempt | undefined, number: number): LanguageModelV4 {
    return {
      specificationVersion: "v4",
      provider: "scripted",
      modelId: "scripted",
      supportedUrls: {},
      async doGenerate(request) {
        await fail(options.faultOf("generate"));
        const asksForTitle = JSON.stringify(request.prompt).includes("You name conversations");
        const text = asksForTitle ? options.title : '["А дальше?", "А потом?"]';
        return {
          content: [{ type: "text", text }],
          finishReason: { unified: "stop", raw: "stop" },
          usage,
          warnings: [],
        };
      },
      async doStream(request) {
        const fault = options.faultOf("stream");
        if (fault?.how === "broken") throw new Error(`${INJECTED}: the model is broken`);
        const parts = script(request, attempt, number, fault);
        return { stream: streamOf(parts) };
      },
    };
  }

  async function* script(
    request: LanguageModelV4CallOptions,
    attempt: Attempt | undefined,
    number: number,
    fault: Pick<Fault, "how" | "ms"> | undefined,
  ): AsyncGenerator<LanguageModelV4StreamPart, void, undefined> {
    const { prompt, abortSignal } = request;
    const { tag, verb, count, gapMs } = askedIn(prompt);
    const step = prompt.findLast(({ role }) => role !== "tool")?.role === "user" ? 0 : 1;
    const pause = (ms: number) => sleep(ms, undefined, abortSignal ? { signal: abortSignal } : {});
    const finish = (unified: "stop" | "tool-calls"): LanguageModelV4StreamPart => ({
      type: "finish",
      finishReason: { unified, raw: unified },
      usage,
    });
    async function* say(words: number): AsyncGenerator<LanguageModelV4StreamPart, void, undefined> {
      yield { type: "text-start", id: "t" };
      for (let n = 0; n < words; n += 1) {
        if (gapMs > 0) await pause(gapMs);
        const delta = `${tag}.${number}.${step}.${n} `;
        if (attempt) attempt.text += delta;
        yield { type: "text-delta", id: "t", delta };
        if (n === 1 && fault) await cut(fault);
      }
      yield { type: "text-end", id: "t" };
    }
    const call = (toolName: string, n: number): LanguageModelV4StreamPart => {
      const toolCallId = `${tag}.${number}.call${n}`;
      return { type: "tool-call", toolCallId, toolName, input: JSON.stringify({ key: toolCallId }) };
    };
    yield { type: "stream-start", warnings: [] };
    if (step === 0) {
      const tools = new Set((request.tools ?? []).map(({ name }) => name));
      const wanted = { look: ["look"], pay: ["pay"], both: ["look", "pay"], page: ["buy"] }[verb as string] ?? [];
      const calls = wanted.filter((name) => tools.has(name));
      if (calls.length > 0) {
        yield* say(1);
        for (const [n, name] of calls.entries()) yield call(name, n);
        yield finish("tool-calls");
        return;
      }
    }
    if (verb === "think") {
      yield { type: "reasoning-start", id: "r" };
      yield { type: "reasoning-delta", id: "r", delta: "Подумаю. " };
      yield { type: "reasoning-end", id: "r" };
    }
    if (verb === "picture") {
      yield { type: "file", mediaType: "image/png", data: { type: "data", data: PIXEL } };
    }
    yield* say(count);
    if (verb === "stop") throw new Error("the model has stopped");
    if (verb === "hang") await pause(600_000);
    if (verb === "hold") {
      const isReleased = releaseOf(tag).promise.then(() => true);
      // It says something now and then, because a model that says nothing is given up.
      do yield* say(1);
      while (!(await Promise.race([isReleased, pause(100)])));
    }
    if (attempt) attempt.isWhole = true;
    yield finish("stop");
  }

  return {
    attempts,
    open: () => open,
    release: (tag) => releaseOf(tag).resolve(),
    modelOf({ instance, openTools, knownTools }) {
      const common = { id: "scripted", name: "Scripted", openTools, knownTools, mergeMs: 5 };
      const other = createAiSdkModel({ ...common, languageModel: languageModel(undefined, 0) });
      return {
        ...other,
        async *run(request) {
          const attempt: Attempt = { questionId: request.history.at(-1)?.id ?? "", instance, text: "", isWhole: false };
          attempts.push(attempt);
          open += 1;
          try {
            const model = createAiSdkModel({ ...common, languageModel: languageModel(attempt, attempts.length) });
            const events = model.run(request);
            for (let texts = 0; ;) {
              const next = await events.next();
              if (next.done) return next.value;
              yield next.value;
              texts += Number(next.value.type === "text-delta");
              // This is like a host's model: the protocol has an event for it.
              if (texts === 2 && isFailing(request.history.at(-1)?.content)) {
                yield { type: "error", errorText: "Модель не может" };
              }
            }
          } finally {
            open -= 1;
          }
        },
      };
    },
  };
}

async function fail(fault: Pick<Fault, "how" | "ms"> | undefined): Promise<void> {
  if (fault?.how === "slow") await sleep(fault.ms);
  else if (fault) throw new Error(`${INJECTED}: the model is ${fault.how}`);
}

/** Applies the fault in the middle of an answer. */
async function cut(fault: Pick<Fault, "how" | "ms">): Promise<void> {
  if (fault.how === "slow") await sleep(fault.ms);
  else throw new Error(`${INJECTED}: the model's connection is lost`);
}

function isFailing(content: unknown): boolean {
  return JSON.stringify(content).includes(" fail ");
}

/** What the last question of a prompt asks for: its text is `<tag> <verb> <count> <gap>`. */
function askedIn(prompt: LanguageModelV4CallOptions["prompt"]) {
  const question = prompt.findLast(({ role }) => role === "user");
  const [, tag = "", verb = "say", count = "1", gapMs = "0"] =
    /(\S+) (\w+) (\d+) (\d+)\b/.exec(
      JSON.stringify(question?.content ?? "")
        .replaceAll('\\"', " ")
        .replaceAll('"', " "),
    ) ?? [];
  return { tag, verb: verb as Verb, count: Number(count), gapMs: Number(gapMs) };
}

function streamOf(parts: AsyncGenerator<LanguageModelV4StreamPart, void, undefined>) {
  return new ReadableStream<LanguageModelV4StreamPart>({
    async pull(controller) {
      try {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
      }
    },
    async cancel() {
      await parts.return();
    },
  });
}
