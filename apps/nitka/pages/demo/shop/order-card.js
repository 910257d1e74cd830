import { deliveryPrice } from "./basket.js";
import { element } from "./element.js";
import { inRoubles, inThings } from "./wording.js";

/**
 * @typedef {import("./basket.js").BasketContent} BasketContent
 * @typedef {import("./basket.js").BasketLine} BasketLine
 * @typedef {import("./basket.js").Basket} Basket
 */

/**
 * The shop's card of a basket or an order: its lines, the delivery and the total.
 *
 * @param {object} options
 * @param {string} options.title
 * @param {BasketContent} options.content
 * @param {Basket} options.basket It knows the pictures of the goods.
 * @param {((sku: string) => void)} [options.onRemove] Lines get a button that removes them.
 * @param {Node} [options.link] A link below the total.
 */
export function orderCard({ title, content, basket, onRemove, link }) {
  const { lines, total, tillFreeDelivery } = content;
  const count = lines.reduce((all, line) => all + line.count, 0);
  return element(
    "section",
    { className: "order", ariaLabel: title },
    element("p", { className: "order-title" }, title, element("span", {}, inThings(count))),
    element("ul", { className: "order-lines" }, ...lines.map((line) => orderLine(line, basket, onRemove))),
    element(
      "dl",
      { className: "order-sums" },
      element("dt", {}, "Доставка"),
      element("dd", {}, deliveryPrice(content)),
      element("dt", { className: "order-total" }, "Итого"),
      element("dd", { className: "order-total" }, inRoubles(total)),
    ),
    tillFreeDelivery > 0
      ? element("p", { className: "quiet" }, `До бесплатной доставки не хватает ${inRoubles(tillFreeDelivery)}`)
      : undefined,
    link,
  );
}

/**
 * One line of a card: the picture, the title, the number, the sum.
 *
 * @param {BasketLine} line
 * @param {Basket} basket
 * @param {((sku: string) => void)} [onRemove]
 */
export function orderLine({ sku, title, count, price }, basket, onRemove) {
  const good = basket.goods.find((each) => each.sku === sku);
  const remove = element("button", { type: "button", className: "remove", ariaLabel: `${title}: убрать` }, "Убрать");
  remove.addEventListener("click", () => onRemove?.(sku));
  return element(
    "li",
    {},
    good && element("img", { src: good.image, alt: "", width: 48, height: 48 }),
    element(
      "span",
      { className: "order-good" },
      title,
      element("span", { className: "quiet" }, `${count}\u00A0×\u00A0${inRoubles(price)}`),
    ),
    onRemove && remove,
    element("span", { className: "order-sum" }, inRoubles(count * price)),
  );
}
