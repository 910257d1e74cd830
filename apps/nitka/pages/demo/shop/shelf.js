import { element } from "./element.js";

/**
 * Gives every good on the shelf its button.
 *
 * @param {import("./basket.js").Basket} basket
 */
export function showShelf(basket) {
  for (const { sku, title, stock } of basket.goods) {
    const button = element("button", {
      type: "button",
      className: "to-basket",
      textContent: stock === 0 ? "Ждём обжига" : "В корзину",
      disabled: stock === 0,
      ariaLabel: stock === 0 ? null : `${title}: в корзину`,
    });
    button.addEventListener("click", () => {
      try {
        basket.add(sku);
        button.textContent = "Ещё одну";
      } catch (error) {
        button.textContent = "Больше нет";
        button.disabled = true;
        button.title = error instanceof Error ? error.message : "";
      }
    });
    document.querySelector(`li[data-sku="${sku}"]`)?.append(button);
  }
}
