/** The shop's options for its assistant: the page's context, the page's tools, and the views of their results. */
import { toolViews } from "./tool-views.js";

/** The widget's window covers the whole screen of a phone: see SMALL_SCREEN of its launcher. */
const phone = matchMedia("(max-width: 480px), (max-height: 420px)");

/**
 * Starts the chat in the page or behind its button, as the page's layout says.
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
      // The page becomes narrower beside the open panel, so that the panel covers nothing of it.
      open: () => document.body.classList.add("beside-chat"),
      close: () => document.body.classList.remove("beside-chat"),
    },
    ...(layout === "launcher" ? { layout } : { target: "#chat", basePath: "/demo" }),
  };
  // The queue accepts the call even before the widget's script has loaded.
  window.Nitka ??= [];
  window.Nitka.push(["init", options]);
}

/**
 * The page's context. It is read with each question.
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
 * The page's tools for the assistant.
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
 * The result of a tool. A refusal by the shop is a result too: the assistant tells the visitor the reason.
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
