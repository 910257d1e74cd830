import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Knowledge, Passage } from "../../knowledge.ts";

/** A tool call, or the deltas of a text. */
export type ScriptedStep = readonly string[] | { readonly tool: string; readonly input: unknown };

/** A language model that plays steps, one per request of an answer, and records the prompts. */
export function createStepModel(steps: (question: string) => readonly ScriptedStep[]): {
  readonly languageModel: LanguageModelV4;
  readonly requests: readonly LanguageModelV4CallOptions[];
} {
  const requests: LanguageModelV4CallOptions[] = [];
  const doStream: LanguageModelV4["doStream"] = async (options) => {
    requests.push(options);
    const from = options.prompt.findLastIndex(({ role }) => role === "user");
    const asked = options.prompt[from];
    const question = asked?.role === "user" && asked.content[0]?.type === "text" ? asked.content[0].text : "";
    const done = options.prompt.slice(from).filter(({ role }) => role === "tool").length;
    const step = steps(question)[done] ?? ["Всё."];
    return { stream: new ReadableStream({ start: (controller) => play(step, `call-${requests.length}`, controller) }) };
  };
  const languageModel: LanguageModelV4 = {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("It only streams")),
    doStream,
  };
  return { languageModel, requests };
}

function play(
  step: ScriptedStep,
  toolCallId: string,
  controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>,
): void {
  controller.enqueue({ type: "stream-start", warnings: [] });
  if ("tool" in step) {
    controller.enqueue({ type: "tool-call", toolCallId, toolName: step.tool, input: JSON.stringify(step.input) });
  } else {
    controller.enqueue({ type: "text-start", id: "0" });
    for (const delta of step) controller.enqueue({ type: "text-delta", id: "0", delta });
    controller.enqueue({ type: "text-end", id: "0" });
  }
  controller.enqueue({
    type: "finish",
    finishReason: "tool" in step ? { unified: "tool-calls", raw: undefined } : { unified: "stop", raw: undefined },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 1, text: 1, reasoning: undefined },
    },
  });
  controller.close();
}

/** A passage from a page of its own. */
function passage(id: string, text = `Текст страницы ${id}.`): Passage {
  return { title: `Страница ${id}`, heading: `О ${id}`, url: `https://shop.example/${id}#a`, text, score: 1 };
}

/** Knowledge that finds the passages whose ids are the words of the query, and records the queries. */
export function createWordKnowledge(textOf = (id: string): string | undefined => `Текст страницы ${id}.`): Knowledge & {
  readonly queries: readonly string[];
} {
  const queries: string[] = [];
  return {
    queries,
    search: async (query, { limit }) => {
      queries.push(query);
      const found = query.split(" ").flatMap((id) => {
        const text = textOf(id);
        return text === undefined ? [] : passage(id, text);
      });
      return found.slice(0, limit);
    },
  };
}
