/** The demo's wording of sums and products. */
import { plural } from "../plural.ts";
import type { Conversation, Language } from "../conversation.ts";
import type { Basket, ShopGood, ShopPage } from "./shop-page.ts";

/** @example inMoney(1450, "RUB", "ru") // "1 450 ₽" */
export function inMoney(sum: number, currency: string, language: Language): string {
  const format = { style: "currency", currency, currencyDisplay: "narrowSymbol", maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(language === "ru" ? "ru-RU" : "en-GB", format).format(sum);
}

/** @example inThings(3, "ru") // "3 вещи" */
function inThings(count: number, language: Language): string {
  const noun = language === "ru" ? plural(count, "вещь", "вещи", "вещей") : count === 1 ? "thing" : "things";
  return `${count}\u00A0${noun}`;
}

/** A product as one entry of a list. */
export function goodLine(good: ShopGood, { currency }: ShopPage, { language }: Pick<Conversation, "language">): string {
  const price = inMoney(good.price, currency, language);
  return `- **${bare(good.title)}** — ${price}, ${bare(good.availability)}. ${bare(good.about)}`;
}

/** The contents of a basket, as a sentence. */
export function basketSentence(basket: Basket, { currency }: ShopPage, language: Language): string {
  const count = basket.lines.reduce((sum, line) => sum + line.count, 0);
  const things = inThings(count, language);
  const sum = inMoney(basket.goods, currency, language);
  return language === "ru" ? `В корзине ${things} на ${sum}.` : `The basket holds ${things} for ${sum}.`;
}

/** A page's text without characters that have a meaning in markdown. */
export function bare(text: string): string {
  return text.replaceAll(/[*_`[\]<>|~\\]/g, "");
}
