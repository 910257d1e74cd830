import type { Message } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";
import { createAiSdkModel } from "@nitka/server/ai-sdk";
import type { Model } from "@nitka/server";
import { systemClock } from "@nitka/server/model-kit";
import type { Clock } from "@nitka/server/model-kit";
import { readConversation, plainText } from "./conversation.ts";
import { createDemoLanguageModel } from "./demo-language-model.ts";
import { scenarioFor } from "./scenarios.ts";
import { createWeatherTool, WEATHER_TOOL } from "./weather-tool.ts";
import type { Language } from "./conversation.ts";
import { nextInShop } from "./shop/shop-next.ts";

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
 * The demo model: prepared answers behind the interface of a real language model. It needs no key and no network,
 * answers in the visitor's language, says that it is a demo, and can show every kind of part that an answer may have.
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

/**
 * The follow-up questions after an answer.
 *
 * @param exchange a question and its answer
 */
function nextQuestions(exchange: readonly Message[]): readonly string[] {
  const question = exchange.findLast(({ role }) => role === "user");
  const answer = exchange.findLast(({ role }) => role === "assistant");
  if (!question || !answer) return [];
  const asked = textOf(question);
  const { language } = readConversation([{ role: "user", text: asked, files: [] }], { attempt: 0, tools: new Set() });
  const told = textOf(answer);
  const plain = plainText(asked);
  return isAboutShop(told) ? nextInShop(plain, told, language) : nextElsewhere(plain, language);
}

function isAboutShop(answer: string): boolean {
  return /корзин|на полке|магазин|basket|shelf|the shop/i.test(answer) && !answer.includes("/demo/launcher");
}

function nextElsewhere(plainQuestion: string, language: Language): readonly string[] {
  const { weather, others } = questions[language];
  return [...(/погод|weather/.test(plainQuestion) ? weather : []), ...others]
    .filter((each) => plainText(each) !== plainQuestion)
    .slice(0, 3);
}

const questions = {
  ru: {
    weather: ["А в Токио?", "А в Мурманске?"],
    others: ["Покажи всё", "Помоги написать эссе о приложениях с ИИ-чатом", "О чём мы говорили?"],
  },
  en: {
    weather: ["And in Tokyo?", "And in London?"],
    others: ["Show me everything", "Help me write an essay about AI chat apps", "What did we talk about?"],
  },
} as const;
