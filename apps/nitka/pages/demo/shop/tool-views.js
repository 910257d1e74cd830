/** The shop's views of its assistant's tool calls, in place of the widget's own blocks. */
import { element } from "./element.js";
import { orderCard, orderLine } from "./order-card.js";

/**
 * @typedef {import("./basket.js").Basket} Basket
 * @typedef {import("./basket.js").BasketContent} BasketContent
 * @typedef {BasketContent & { readonly number?: number }} Result The basket, or an order with its number.
 * @typedef {{ readonly sku?: string, readonly count?: number }} Args
 *
 * @typedef {object} ToolPart
 * @property {unknown} args `undefined` while they are streamed.
 * @property {unknown} result
 * @property {"streaming" | "waiting" | "running" | "done" | "failed" | "denied"} state
 *
 * @typedef {object} Words
 * @property {(result: Result) => string} title Over the finished card.
 * @property {(args: Args) => Node} pending What is shown until the tool has answered.
 * @property {(args: Args) => string} denied
 */

/**
 * The shop's renderers. Their input comes from a thread's history, so a result with another form is refused: the widget
 * then shows its own block.
 *
 * @param {Basket} basket
 * @param {() => void} onLeave Called when the visitor follows a card's link into the shop.
 */
export function toolViews(basket, onLeave) {
  const nameOf = (/** @type {Args} */ { sku }) => {
    const title = basket.goods.find((good) => good.sku === sku)?.title ?? "вещь";
    return title.charAt(0).toLowerCase() + title.slice(1);
  };

  /** @param {Words} words */
  const view = ({ title, pending, denied }) => {
    /** @param {ToolPart} part */
    const nodeOf = ({ args, result, state }) => {
      const given = /** @type {Args} */ (args ?? {});
      if (state === "denied") return note(denied(given));
      if (state === "failed") return note("Не получилось");
      if (state !== "done") return args === undefined ? note("Минуту…") : pending(given);
      if (isRefusal(result)) return note(result.refused);
      if (!isResult(result)) throw new TypeError("the tool returned no basket");
      if (result.lines.length === 0) return note("Корзина пуста");
      return orderCard({ title: title(result), content: result, basket, link: linkTo(result, onLeave) });
    };
    return (/** @type {HTMLElement} */ container, /** @type {ToolPart} */ part) => {
      const update = (/** @type {ToolPart} */ next) => container.replaceChildren(nodeOf(next));
      update(part);
      return { update };
    };
  };

  return {
    "tool:add_to_basket": view({
      title: () => "В корзине",
      pending: (args) => chosen(args, basket),
      denied: (args) => `Не положено: ${nameOf(args)}`,
    }),
    "tool:remove_from_basket": view({
      title: () => "Осталось в корзине",
      pending: (args) => note(`Убираю: ${nameOf(args)}`),
      denied: (args) => `Не убрано: ${nameOf(args)}`,
    }),
    "tool:show_basket": view({
      title: () => "Корзина",
      pending: () => note("Смотрю в корзину…"),
      denied: () => "Корзина не показана",
    }),
    "tool:place_order": view({
      title: ({ number }) => `Заказ №\u00A0${number} принят`,
      pending: () => orderCard({ title: "Ваш заказ", content: basket.content(), basket }),
      denied: () => "Заказ не оформлен",
    }),
  };
}

/** @param {string} text */
function note(text) {
  return element("p", { className: "order-note" }, text);
}

/**
 * The good that is about to be added to the basket.
 *
 * @param {Args} args
 * @param {Basket} basket
 */
function chosen({ sku = "", count = 1 }, basket) {
  const good = basket.goods.find((each) => each.sku === sku);
  if (!good) return note("Такой вещи на полке нет");
  const line = orderLine({ sku, title: good.title, count, price: good.price }, basket);
  return element(
    "section",
    { className: "order", ariaLabel: good.title },
    element("ul", { className: "order-lines" }, line),
  );
}

/**
 * @param {Result} result
 * @param {() => void} onLeave
 */
function linkTo({ number }, onLeave) {
  const link = element("a", number === undefined ? { href: "#basket" } : { href: "#goods" });
  link.textContent = number === undefined ? "Открыть корзину" : "Вернуться к полке";
  link.addEventListener("click", onLeave);
  return element("p", { className: "order-link" }, link);
}

/**
 * @param {unknown} result
 * @returns {result is { readonly refused: string }}
 */
function isRefusal(result) {
  return typeof Object(result).refused === "string";
}

/**
 * @param {unknown} result
 * @returns {result is Result}
 */
function isResult(result) {
  const { lines, total } = Object(result);
  return Array.isArray(lines) && typeof total === "number";
}
