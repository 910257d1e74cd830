/** What the shop gives its assistant: what the page shows, what it may do here, and how its results look. */
import { toolViews } from "./tool-views.js";

/** The widget's window covers a phone's whole screen: see SMALL_SCREEN of its launcher. */
const phone = matchMedia("(max-width: 480px), (max-height: 420px)");

/**
 * Starts the chat, in the page or behind its button, as the page says.
 *
 * @param {import("./basket.js").Basket} basket
 */
export function startAssistant(basket) {
  const { project = "default", layout } = document.body.dataset;
  /** @type {import("@nitka/widget").NitkaHandle | undefined} */
  let chat;
  /** @type {import("@nitka/widget").NitkaOptions} */
  const options = {
    projectId: project,
    pageContext: () => pageContext(basket),
    tools: pageTools(basket),
    linkTarget: "self",
    renderers: toolViews(basket, () => {
      if (phone.matches) void chat?.close();
    }),
    on: {
      ready: (handle) => (chat = handle),
      // Beside the open panel the page is narrower, so that the panel covers nothing of it.
      open: () => document.body.classList.add("beside-chat"),
      close: () => document.body.classList.remove("beside-chat"),
    },
    ...(layout === "launcher" ? { layout } : { target: "#chat", basePath: "/demo" }),
  };
  // The queue takes the call also before the widget's script has loaded.
  window.Nitka ??= [];
  window.Nitka.push(["init", options]);
}

/**
 * What the page shows. It is read with each question.
 *
 * @param {import("./basket.js").Basket} basket
 */
function pageContext(basket) {
  return {
    shop: "«Черепок», мастерская чайной посуды",
    currency: "RUB",
    delivery: basket.delivery,
    goods: basket.goods.map(({ sku, title, about, price, stock, availability }) => ({
      sku,
      title,
      about,
      price,
      stock,
      availability,
    })),
    basket: basket.content(),
  };
}

/**
 * What the assistant may do on the page.
 *
 * @param {import("./basket.js").Basket} basket
 */
function pageTools(basket) {
  const sku = { type: "string", enum: basket.goods.map((good) => good.sku), description: "The good's sku" };
  return {
    add_to_basket: {
      title: "Положить в корзину",
      description: "Puts goods of this page into the visitor's basket. Returns the basket.",
      parameters: {
        type: "object",
        properties: { sku, count: { type: "integer", minimum: 1, maximum: 20, description: "How many" } },
        required: ["sku", "count"],
        additionalProperties: false,
      },
      confirm: "Магазин положит это в вашу корзину.",
      execute: (/** @type {{ sku: string, count: number }} */ args) =>
        answerOf(() => {
          basket.add(args.sku, args.count);
          return basket.content();
        }),
    },
    remove_from_basket: {
      title: "Убрать из корзины",
      description: "Removes a good from the visitor's basket, all of its kind. Returns the basket.",
      parameters: { type: "object", properties: { sku }, required: ["sku"], additionalProperties: false },
      execute: (/** @type {{ sku: string }} */ args) =>
        answerOf(() => {
          basket.remove(args.sku);
          return basket.content();
        }),
    },
    show_basket: {
      title: "Показать корзину",
      description: "Shows the visitor's basket as a card, and returns it.",
      parameters: { type: "object", properties: {}, additionalProperties: false },
      repeatable: true,
      execute: () => basket.content(),
    },
    place_order: {
      title: "Оформить заказ",
      description: "Orders everything in the visitor's basket and empties it. Returns the order with its number.",
      parameters: { type: "object", properties: {}, additionalProperties: false },
      confirm: "Магазин оформит заказ на всё, что в корзине.",
      execute: () => answerOf(() => basket.order()),
    },
  };
}

/**
 * What a tool returns. That the shop refuses something is a result: the assistant tells the visitor why.
 *
 * @template T
 * @param {() => T} act
 */
function answerOf(act) {
  try {
    return act();
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}
