import type { Beat } from "../beat.ts";
import type { Conversation } from "../conversation.ts";
import { introduction, paragraphs, wording } from "../scenario.ts";
import type { Scenario } from "../scenario.ts";
import { asksForHelp, intentOf, meansShop, priceLimit } from "../shop/intent.ts";
import { SEARCH_SITE } from "./site-search.ts";
import { countIn, namedGoods } from "../shop/named-goods.ts";
import { afterCall, callTool, shopIntroduction } from "../shop/shop-calls.ts";
import { readShopPage } from "../shop/shop-page.ts";
import type { ShopGood, ShopPage } from "../shop/shop-page.ts";
import { bare, goodLine, inMoney } from "../shop/shop-words.ts";

/** Questions in the demo shop: the scenario reads the page's context, and calls the page's tools. */
export const shop: Scenario = {
  matches: (conversation) => {
    const page = readShopPage(conversation.pageContext);
    if (!page) return meansShop(conversation);
    if (intentOf(conversation) !== undefined) return true;
    // «Можно ли мыть кружку в посудомойке?» names a product but is a question for the help pages.
    if (conversation.tools.has(SEARCH_SITE) && asksForHelp(conversation)) return false;
    return namedGoods(conversation.question, page.goods).length > 0;
  },
  answer: (conversation) => {
    const page = readShopPage(conversation.pageContext);
    if (!page) return say(paragraphs(introduction(conversation), withoutShop(conversation)));
    if (conversation.toolCall) return say(afterCall(conversation, conversation.toolCall, page));
    return answerInShop(conversation, page);
  },
  title: (conversation) => titles[conversation.language][intentOf(conversation) ?? "list"],
};

const titles = {
  ru: { order: "Заказ", remove: "Корзина", show: "Что в корзине", add: "В корзину", list: "Что есть на полке" },
  en: {
    order: "An order",
    remove: "The basket",
    show: "What is in the basket",
    add: "Into the basket",
    list: "What is on the shelf",
  },
} as const;

function answerInShop(conversation: Conversation, page: ShopPage): readonly Beat[] {
  const { language } = conversation;
  const ru = language === "ru";
  switch (intentOf(conversation)) {
    case "order":
      if (page.basket.lines.length === 0) return tell(conversation, emptyBasket[language]);
      return callTool(
        conversation,
        "place_order",
        {},
        {
          thought: ru
            ? "Просят оформить заказ. Что в корзине, я знаю из контекста страницы, а оформляет сама страница: вызову place_order. Разрешения она спросит сама."
            : "They want to order. The page’s context tells me what the basket holds; the page itself makes the order, with place_order, and asks for permission first.",
          words: ru ? "Оформляю. Магазин спросит вас ещё раз." : "Ordering. The shop will ask you once more.",
        },
      );
    case "show":
      return callTool(
        conversation,
        "show_basket",
        {},
        {
          thought: ru
            ? "Спрашивают о корзине. show_basket покажет её карточкой; менять он ничего не может, поэтому и разрешение не нужно."
            : "They ask about the basket. show_basket shows it as a card; it changes nothing, so no permission is needed.",
          words: ru ? "Вот она:" : "Here it is:",
        },
      );
    case "add":
      return withGood(conversation, page, (good) => add(conversation, page, good));
    case "remove":
      return withGood(conversation, page, (good) =>
        callTool(
          conversation,
          "remove_from_basket",
          { sku: good.sku },
          {
            thought: ru
              ? `Убрать «${good.sku}». Это легко вернуть, поэтому страница не спрашивает.`
              : `Remove “${good.sku}”. It is easily put back, so the page does not ask.`,
            words: ru ? "Убираю." : "Removing it.",
          },
        ),
      );
    case "list":
      return tell(conversation, list(conversation, page));
    default:
      return withGood(conversation, page, (good) => tell(conversation, about(conversation, page, good)));
  }
}

/** Answers about the product that the question names, or about an earlier one if the question says «it». */
function withGood(
  conversation: Conversation,
  page: ShopPage,
  answer: (good: ShopGood) => readonly Beat[],
): readonly Beat[] {
  const { question, earlier, language } = conversation;
  const named = [question, ...earlier.toReversed()]
    .map((text) => namedGoods(text, page.goods))
    .find((goods) => goods.length > 0);
  const [good, second] = named ?? [];
  if (good && !second) return answer(good);
  const choice = (second ? (named ?? []) : page.goods).map((each) => goodLine(each, page, conversation)).join("\n");
  return tell(conversation, paragraphs(whichOne[language], choice));
}

function add(conversation: Conversation, page: ShopPage, good: ShopGood): readonly Beat[] {
  const { language, question } = conversation;
  const ru = language === "ru";
  const title = bare(good.title);
  const count = countIn(question);
  if (good.stock === 0) {
    const when = good.availability === "" ? "" : ` (${bare(good.availability)})`;
    return tell(
      conversation,
      ru
        ? `**${title}** сейчас не продаётся${when}. Когда появится на полке, положу с радостью.`
        : `**${title}** is not on sale now${when}. I will gladly put it into the basket once it is.`,
    );
  }
  const price = inMoney(good.price, page.currency, language);
  return callTool(
    conversation,
    "add_to_basket",
    { sku: good.sku, count },
    {
      thought: wording(conversation, {
        ru: [
          `На странице это ${title}, ${price}, артикул ${good.sku}. Положить в корзину может только сама страница: вызову её инструмент add_to_basket, а она спросит разрешения у посетителя.`,
          `Снова в корзину: ${good.sku}, ${count} шт. Решает посетитель, страница его спросит.`,
        ],
        en: [
          `On this page that is ${title}, ${price}, sku ${good.sku}. Only the page can put it into the basket: I call its tool add_to_basket, and the page asks the visitor for permission.`,
          `Into the basket once more: ${good.sku}, ${count}. The visitor decides, the page will ask.`,
        ],
      }),
      words: ru ? `Это **${title}** за ${price}. Кладу, если разрешите.` : `That is **${title}** for ${price}. May I?`,
    },
  );
}

function list(conversation: Conversation, page: ShopPage): string {
  const { plain, language } = conversation;
  const ru = language === "ru";
  const limit = priceLimit(plain);
  const fitting = page.goods.filter(({ price }) => limit === undefined || price <= limit);
  const sorted = fitting.toSorted((one, other) => one.price - other.price);
  const sum = inMoney(limit ?? 0, page.currency, language);
  if (sorted.length === 0) {
    const cheapest = page.goods.toSorted((one, other) => one.price - other.price).slice(0, 1);
    return paragraphs(
      ru ? `До ${sum} ничего нет. Самое доступное на полке:` : `There is nothing up to ${sum}. The least expensive:`,
      cheapest.map((good) => goodLine(good, page, conversation)).join("\n"),
    );
  }
  const heading = ru
    ? limit === undefined
      ? "На полке сейчас:"
      : `До ${sum} на полке есть:`
    : limit === undefined
      ? "On the shelf now:"
      : `Up to ${sum} there is:`;
  return paragraphs(
    heading,
    sorted.map((good) => goodLine(good, page, conversation)).join("\n"),
    ru ? "Скажите, что положить в корзину." : "Tell me what to put into the basket.",
  );
}

function about({ language }: Conversation, page: ShopPage, good: ShopGood): string {
  const price = inMoney(good.price, page.currency, language);
  const title = bare(good.title);
  return language === "ru"
    ? `**${title}** — ${price}, ${bare(good.availability)}. ${bare(good.about)} Положить в корзину?`
    : `**${title}**: ${price}, ${bare(good.availability)}. ${bare(good.about)} Shall I put it into the basket?`;
}

const whichOne = {
  ru: "Уточните, пожалуйста, о какой вещи речь:",
  en: "Which one do you mean?",
} as const;

const emptyBasket = {
  ru: "Корзина пуста, заказывать пока нечего. Сначала выберите вещь на полке.",
  en: "The basket is empty, so there is nothing to order yet. Choose something from the shelf first.",
} as const;

/** For pages without a shop, such as the full page. */
function withoutShop({ language }: Conversation): string {
  return language === "ru"
    ? "Магазина здесь нет: эта страница не рассказала мне о товарах и не дала инструментов. Загляните в [демо-магазин](/demo/launcher): там я вижу полку и кладу вещи в корзину."
    : "There is no shop here: this page has told me of no goods and given me no tools. Visit the [demo shop](/demo/launcher): there I see the shelf and fill the basket.";
}

function tell(conversation: Conversation, text: string): readonly Beat[] {
  return say(paragraphs(introduction(conversation, shopIntroduction), text));
}

function say(text: string): readonly Beat[] {
  return [{ type: "say", text }];
}
