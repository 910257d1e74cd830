import type { Conversation } from "../conversation.ts";

/** What a visitor wants from the shop. */
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

/** Words that only visitors of a shop use. On a page without a shop, the answer can say that this is the reason. */
const shopOnly = /корзин|оформи\S* заказ|у вас есть|(до|дешевле) \d[\d ]* ?(руб|₽)|basket|\bcart\b|checkout/;

/** The subjects of the shop's help pages, which take precedence over a named product. */
const helpWords =
  /достав|везете|привез|отправ|верну|возвра|обмен|оплат|посудомо|микроволн|духовк|мыть|уход|разби|трещин|скол(?!ьк)|мастер-класс|мастерск|упаков|открытк|размер|объем|вместит|глин|глазур|на заказ|срок|deliver|ship|return|refund|exchange|\bpay|dishwasher|microwave|oven|wash|broke|crack|chip|class|workshop|wrap|size|volume|clay|glaze|made to order/;

/** Whether a question is one for the help pages. */
export function asksForHelp({ plain }: Pick<Conversation, "plain">): boolean {
  return helpWords.test(plain);
}

/** What the visitor wants from the shop; `undefined` when no pattern matches. */
export function intentOf({ plain }: Pick<Conversation, "plain">): Intent | undefined {
  return patterns.find(([, pattern]) => pattern.test(plain))?.[0];
}

/** Whether the question is about the shop, also on a page without one. */
export function meansShop({ plain }: Pick<Conversation, "plain">): boolean {
  return shopOnly.test(plain);
}

/**
 * The highest price that a product may have.
 *
 * @example priceLimit("что у вас есть до 1 500 рублей?") // 1500
 */
export function priceLimit(plain: string): number | undefined {
  const [, digits] = /(?:до|дешевле|не дороже|under|up to|below|for)\s+(\d[\d\s]*)/.exec(plain) ?? [];
  return digits === undefined ? undefined : Number(digits.replaceAll(/\s/g, ""));
}
