import type { Conversation } from "../conversation.ts";

/** What a visitor wants of the shop. */
export type Intent = "order" | "remove" | "show" | "add" | "list";

const patterns: readonly (readonly [Intent, RegExp])[] = [
  ["order", /оформ\S*|сдела\S* заказ|закажи|заказать|checkout|check out|place (the|my|an) order/],
  ["remove", /убери|убрать|удали|вынь|выложи|remove|take .+ out/],
  ["show", /(что|покажи|сколько|какая|открой).*корзин|^корзина\W*$|(what|show|how much).*(basket|cart)/],
  ["add", /полож|добав|в корзину|куплю|купи(?!\p{L}*т)|возьму|беру|(add|put) .+|(buy|i.?ll take) /u],
  [
    "list",
    /что .{0,20}(есть|продаете|продается|посоветуе\S+|на полке)|ассортимент|каталог|товары|(до|дешевле|не дороже) \d[\d ]* ?(р|₽)|дешевле \d|подар|under \d|up to \d|cheaper|what (do|have) you|what.s on the shelf|goods|gift/,
  ],
];

/** Words that only a shop's visitor uses, so that a page without a shop can be named as the reason. */
const shopOnly = /корзин|оформи\S* заказ|у вас есть|(до|дешевле) \d[\d ]* ?(руб|₽)|basket|\bcart\b|checkout/;

/** What the shop's help pages are about, also where a good is named. */
const helpWords =
  /достав|везете|привез|отправ|верну|возвра|обмен|оплат|посудомо|микроволн|духовк|мыть|уход|разби|трещин|скол(?!ьк)|мастер-класс|мастерск|упаков|открытк|размер|объем|вместит|глин|глазур|на заказ|срок|deliver|ship|return|refund|exchange|\bpay|dishwasher|microwave|oven|wash|broke|crack|chip|class|workshop|wrap|size|volume|clay|glaze|made to order/;

/** Whether a question is one for the help pages. */
export function asksForHelp({ plain }: Pick<Conversation, "plain">): boolean {
  return helpWords.test(plain);
}

/** What the visitor wants of the shop; `undefined` where nothing names it. */
export function intentOf({ plain }: Pick<Conversation, "plain">): Intent | undefined {
  return patterns.find(([, pattern]) => pattern.test(plain))?.[0];
}

/** Whether the question is about the shop, also on a page that has none. */
export function meansShop({ plain }: Pick<Conversation, "plain">): boolean {
  return shopOnly.test(plain);
}

/**
 * The most that a good may cost.
 *
 * @example priceLimit("что у вас есть до 1 500 рублей?") // 1500
 */
export function priceLimit(plain: string): number | undefined {
  const [, digits] = /(?:до|дешевле|не дороже|under|up to|below|for)\s+(\d[\d\s]*)/.exec(plain) ?? [];
  return digits === undefined ? undefined : Number(digits.replaceAll(/\s/g, ""));
}
