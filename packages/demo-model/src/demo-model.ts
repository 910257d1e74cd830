import type { Message } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";
import { createAiSdkModel } from "@nitka/server/ai-sdk";
import type { Model } from "@nitka/server";
import { systemClock } from "@nitka/server/model-kit";
import type { Clock } from "@nitka/server/model-kit";
import { readConversation } from "./conversation.ts";
import { createDemoLanguageModel } from "./demo-language-model.ts";
import { nextQuestions } from "./next-questions.ts";
import { scenarioFor } from "./scenarios.ts";
import { createWeatherTool, WEATHER_TOOL } from "./weather-tool.ts";

export interface DemoModelOptions {
  readonly id?: string;
  readonly name?: string;
  readonly clock?: Clock;
  /** How many times faster than normal the model writes. `Infinity` writes everything at once. Default: 1. */
  readonly speed?: number;
}

/** How long the weather tool takes at normal speed, in milliseconds. */
const TOOL_WORK_MS = 700;

/**
 * The demo model: prepared answers behind the interface of a real language model. It needs no key and no network, answers in
 * the visitor's language, says that it is a demo, and can show every kind of part that an answer may have.
 */
export function createDemoModel({
  id = "demo",
  name = "Демо",
  clock = systemClock,
  speed = 1,
}: DemoModelOptions = {}): Model {
  return createAiSdkModel({
    id,
    name,
    clock,
    languageModel: createDemoLanguageModel({ clock, speed }),
    tools: { [WEATHER_TOOL]: createWeatherTool(clock, TOOL_WORK_MS / speed) },
    title: async ({ history }) => demoTitle(history),
    suggest: async ({ history }) => nextQuestions(history).map((prompt) => ({ title: prompt, prompt })),
  });
}

function demoTitle(history: readonly Message[]): string | undefined {
  const question = history.find((message) => message.role === "user");
  if (!question) return undefined;
  const files = (question.attachments ?? []).map(({ name, contentType }) => ({ name, mediaType: contentType }));
  const conversation = readConversation([{ role: "user", text: textOf(question), files }], {
    attempt: 0,
    tools: new Set(),
  });
  return scenarioFor(conversation).title(conversation);
}
