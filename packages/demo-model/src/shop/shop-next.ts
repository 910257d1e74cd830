import type { Language } from "../conversation.ts";
import { intentOf } from "./intent.ts";

/**
 * The follow-up questions of a visitor of the shop. The products are read from the answer, where their titles are bold:
 * a model that suggests questions only sees the conversation.
 *
 * @example nextInShop("Сколько стоит кружка?", "**Кружка «Иней»** — 1 450 ₽.", "ru")
 * // ["Положи в корзину кружку «Иней»", "Что у вас есть до 1500 рублей?"]
 */
export function nextInShop(plainQuestion: string, answer: string, language: Language): readonly string[] {
  const { put, shelf, order } = questions[language];
  const titles = [...answer.matchAll(/\*\*([^*]+)\*\*/g)].map(([, title = ""]) => title);
  const first = titles.slice(0, 2).map(put);
  switch (intentOf({ plain: plainQuestion })) {
    case "order":
      return [shelf, ...first];
    case "show":
    case "remove":
    case "add":
      return isFilled(answer) ? [order, shelf] : [shelf];
    default:
      return first.length > 0 ? [...first, ...(first.length > 1 ? [] : [shelf])] : [shelf];
  }
}

const questions = {
  ru: {
    put: (title: string) => `Положи в корзину ${accusative(title)}`,
    shelf: "Что у вас есть до 1500 рублей?",
    order: "Оформи заказ",
  },
  en: {
    put: (title: string) => `Put ${title} into the basket`,
    shelf: "What do you have under 1500?",
    order: "Place the order",
  },
} as const;

/** Whether an answer says that the basket has contents. */
function isFilled(answer: string): boolean {
  return /В корзине \d|basket holds \d/.test(answer);
}

/**
 * A product's title as the object of a sentence.
 *
 * @example accusative("Кружка «Иней»") // "кружку «Иней»"
 */
function accusative(title: string): string {
  const [noun = "", ...rest] = title.split(" ");
  const inflected = noun.toLowerCase().replace(/а$/, "у").replace(/я$/, "ю");
  return [inflected, ...rest].join(" ");
}
