/** The demo's actions in the shop: calls of the page's tools, and the sentences after each of them. */
import type { Beat } from "../beat.ts";
import type { Conversation, EndedCall } from "../conversation.ts";
import { introduction, paragraphs, wording } from "../scenario.ts";
import type { Bilingual } from "../scenario.ts";
import { readBasket, readOrder, readRefusal } from "./shop-page.ts";
import type { ShopPage } from "./shop-page.ts";
import { bare, basketSentence, inMoney } from "./shop-words.ts";

/** The tools that the shop's page may declare. */
export type ShopTool = "add_to_basket" | "remove_from_basket" | "show_basket" | "place_order";

/** A call of one of the page's tools; a sentence that says why not, when the page has not declared the tool. */
export function callTool(
  conversation: Conversation,
  toolName: ShopTool,
  input: Readonly<Record<string, unknown>>,
  texts: { readonly thought: string; readonly words: string },
): readonly Beat[] {
  if (!conversation.tools.has(toolName)) return [{ type: "say", text: withoutTool(conversation, toolName) }];
  return [
    { type: "think", text: texts.thought },
    { type: "say", text: paragraphs(introduction(conversation, shopIntroduction), texts.words) },
    { type: "call", toolName, input },
  ];
}

/** The demo's text after a call has ended. */
export function afterCall(conversation: Conversation, call: EndedCall, page: ShopPage): string {
  const { outcome } = call;
  const tool = call.toolName as ShopTool;
  switch (outcome.type) {
    case "returned":
      return returned(conversation, tool, outcome.output, page);
    case "denied":
      return isExpired(outcome.reason) ? undecided[conversation.language] : denied(conversation, tool);
    case "failed":
      return failed(conversation, outcome.reason);
    default:
      return outcome satisfies never;
  }
}

/** The introduction for the first answer of a thread in the shop. */
export const shopIntroduction: Bilingual<readonly string[]> = {
  ru: [
    "Отвечает демонстрационная модель: слова у неё заготовлены, а полка, корзина и ваши разрешения настоящие.",
    "Предупрежу: это демо-модель Nitka. Зато полку и корзину этой страницы она видит на самом деле.",
  ],
  en: [
    "This is the demo model: its words are prepared, but the shelf, the basket and your permission are real.",
    "Fair warning: this is Nitka’s demo model. The page’s shelf and basket it does see.",
  ],
};

function returned(conversation: Conversation, tool: ShopTool, output: unknown, page: ShopPage): string {
  const { language } = conversation;
  const ru = language === "ru";
  const refusal = readRefusal(output);
  if (refusal !== undefined) {
    return ru
      ? `Не получилось. Магазин отвечает: «${bare(refusal)}»`
      : `That did not work. The shop says: “${bare(refusal)}”`;
  }
  if (tool === "place_order") {
    const order = readOrder(output);
    if (!order) return unreadable[language];
    const total = inMoney(order.total, page.currency, language);
    return ru
      ? `Готово: заказ №\u00A0${order.number} на ${total} принят. Магазин этот выдуманный, поэтому посылку не ждите, а корзина и правда опустела.`
      : `Done: order no.\u00A0${order.number} for ${total} is placed. The shop is made up, so expect no parcel, but the basket is empty indeed.`;
  }
  const basket = readBasket(output);
  if (!basket) return unreadable[language];
  if (basket.lines.length === 0) {
    return ru ? "Корзина пуста. Что-нибудь присмотрели?" : "The basket is empty. Does anything take your fancy?";
  }
  const holds = basketSentence(basket, page, language);
  return tool === "show_basket" ? holds : `${ru ? "Готово" : "Done"}. ${holds}`;
}

function denied(conversation: Conversation, tool: ShopTool): string {
  if (tool === "place_order") {
    return wording(conversation, {
      ru: ["Хорошо, не оформляю. Вещи остаются в корзине.", "Не оформляю. Корзина подождёт."],
      en: ["All right, no order. Everything stays in the basket.", "No order then. The basket will wait."],
    });
  }
  return wording(conversation, {
    ru: [
      "Хорошо, не кладу: вещь остаётся на полке. Передумаете — скажите.",
      "Как скажете, корзина осталась прежней. Показать что-нибудь ещё?",
    ],
    en: [
      "All right, it stays on the shelf. Tell me if you change your mind.",
      "As you wish, the basket is as it was. Shall I show you something else?",
    ],
  });
}

/** Whether the reason is the server's sentence for a call that nobody has answered in time. */
function isExpired(reason: string): boolean {
  return /did not (allow|answer)/.test(reason);
}

const undecided: Bilingual<string> = {
  ru: "Решения я не дождался, поэтому ничего не делаю. Скажите ещё раз, когда будете готовы.",
  en: "There was no decision, so I do nothing. Tell me again when you are ready.",
};

const unreadable: Bilingual<string> = {
  ru: "Страница ответила, но что теперь в корзине, из её ответа не понять. Загляните в корзину сами.",
  en: "The page has answered, but its answer does not tell what is in the basket now. Please have a look yourself.",
};

function failed({ language }: Conversation, reason: string): string {
  if (isExpired(reason)) {
    return language === "ru"
      ? "Страница так и не ответила: может быть, вкладку закрыли. Загляните в корзину, прежде чем пробовать ещё раз."
      : "The page has not answered; perhaps its tab was closed. Have a look at the basket before you try again.";
  }
  return language === "ru"
    ? "Страница сообщила об ошибке, и сделать это не получилось. Загляните в корзину: что там, то и есть."
    : "The page reported an error, so that did not work. Have a look at the basket: what it shows is what counts.";
}

function withoutTool({ language }: Conversation, tool: ShopTool): string {
  return language === "ru"
    ? `Эта страница не дала мне инструмента \`${tool}\`, поэтому сделать это я не могу. Кладите в корзину сами, кнопкой на полке.`
    : `This page has not given me the tool \`${tool}\`, so I cannot do that. Please use the buttons on the shelf.`;
}
