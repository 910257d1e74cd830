import { element } from "./element.js";
import { flyToBasket } from "./flight.js";
import { orderCard } from "./order-card.js";
import { inRoubles, inThings } from "./wording.js";

/**
 * Shows the basket on the page: the count in the header, and its content below the shelf.
 *
 * @param {import("./basket.js").Basket} basket
 */
export function showBasket(basket) {
  const cart = required("basket-count");
  const place = required("basket-content");
  const news = required("basket-news");

  const show = () => {
    const content = basket.content();
    cart.textContent = String(basket.count());
    place.replaceChildren(
      ...(content.lines.length === 0
        ? [element("p", { className: "quiet" }, "Пока пусто. Выберите вещь на полке или попросите мастера.")]
        : [
            orderCard({ title: "Вы выбрали", content, basket, onRemove: (sku) => basket.remove(sku) }),
            orderButton(basket, place),
          ]),
    );
  };

  basket.subscribe(({ type, sku }) => {
    show();
    if (type === "added" || type === "removed") {
      news.textContent = `В корзине ${inThings(basket.count())} на ${inRoubles(basket.content().goods)}`;
    }
    if (type === "added" && sku !== undefined) flyToBasket(sku, cart);
    if (type === "ordered") news.textContent = "Заказ принят, корзина пуста";
  });
  show();
}

/**
 * @param {import("./basket.js").Basket} basket
 * @param {HTMLElement} place
 */
function orderButton(basket, place) {
  const button = element("button", { type: "button", className: "order-button" }, "Оформить заказ");
  button.addEventListener("click", () => {
    const order = basket.order();
    place.replaceChildren(orderCard({ title: `Заказ №\u00A0${order.number} принят`, content: order, basket }));
  });
  return button;
}

/** @param {string} id */
function required(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element with the id ${id}`);
  return found;
}
