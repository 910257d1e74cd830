import type { Message } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";
import { plainText, readConversation } from "./conversation.ts";
import type { Language } from "./conversation.ts";
import { nextInShop } from "./shop/shop-next.ts";

/**
 * What the visitor may ask after an answer.
 *
 * @param exchange a question and its answer
 */
export function nextQuestions(exchange: readonly Message[]): readonly string[] {
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
