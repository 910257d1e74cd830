import type { Message, StreamEvent } from "@nitka/protocol";
import { applyEvent } from "@nitka/protocol/apply-event";
import { beginAnswer } from "@nitka/protocol/begin-answer";
import { partsOf } from "@nitka/protocol/message";
import { parseStreamEvent } from "@nitka/protocol/stream-event";
import { createAiSdkModel } from "../model/ai-sdk-model.ts";
import type { AiSdkModelOptions } from "../model/ai-sdk-model.ts";
import { createStepModel, createWordKnowledge } from "../model/knowledge/searching-model.contract.ts";
import type { ScriptedStep } from "../model/knowledge/searching-model.contract.ts";
import type { Knowledge } from "../knowledge.ts";
import type { Project } from "../services/projects/project.ts";
import { eventsOf } from "./server.contract.ts";
import { threadOpener } from "./thread.contract.ts";

interface ChatOptions {
  readonly steps: (question: string) => readonly ScriptedStep[];
  readonly knowledge?: Knowledge;
  readonly model?: Partial<AiSdkModelOptions>;
  readonly project?: Partial<Project>;
}

/** Opens chats of projects with knowledge for a test. */
export function citingChatOpener() {
  const { openThread } = threadOpener();
  return async function openChat({ steps, knowledge = createWordKnowledge(), model: more, project }: ChatOptions) {
    const { languageModel, requests } = createStepModel(steps);
    const model = createAiSdkModel({
      id: "m",
      name: "M",
      languageModel,
      mergeMs: 0,
      title: async () => undefined,
      ...more,
    });
    const opened = await openThread({ model, project: { knowledge, ...project } });
    const { client, threadId } = opened;
    return {
      ...opened,
      requests,
      ask: async (id: string, content = "раз", headers = {}) => {
        const response = await client.ask(threadId, { id, content }, headers);
        if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
        return eventsOf(response);
      },
      answer: async () => (await client.messages(threadId)).at(-1) as Message,
    };
  };
}

/** A step that searches. */
export const search = (query: string): ScriptedStep => ({ tool: "search_site", input: { query } });

/** The message that a client shows for these events. */
export function folded(events: readonly unknown[]): Message {
  return parsed(events).reduce(applyEvent, beginAnswer("a")).message;
}

function parsed(events: readonly unknown[]): readonly StreamEvent[] {
  return events.flatMap((event) => parseStreamEvent(JSON.stringify(event)) ?? []);
}

export function sourcesOf(message: Message) {
  return partsOf(message).filter((part) => part.type === "source");
}

/**
 * The problems of the citations in a stream: a number before its source, a repeated source, or a source that was not
 * found.
 */
export function problemsOf(events: readonly unknown[], found: number): readonly string[] {
  const sourced = new Set<number>();
  const problems: string[] = [];
  let text = "";
  for (const event of parsed(events)) {
    if (event.type === "source-url") {
      const n = event.providerMetadata?.nitka?.n ?? 0;
      if (sourced.has(n) || n > found || event.sourceId !== String(n)) problems.push(`source ${n}`);
      sourced.add(n);
    }
    if (event.type !== "text-delta") continue;
    text += event.delta;
    for (const [, numbers = ""] of text.matchAll(/\[([1-9]\d*(?:, \d+)*)\]/g)) {
      for (const n of numbers.split(", ")) if (!sourced.has(Number(n))) problems.push(`[${n}] without its source`);
    }
    if (/【|\[\^|，|\[\[/.test(text)) problems.push(`another form: ${text}`);
  }
  for (const n of sourced) if (!new RegExp(`[[ ]${n}[\\],]`).test(text)) problems.push(`source ${n} is not cited`);
  return problems;
}
