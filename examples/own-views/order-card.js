// @ts-check
/** @typedef {{ number: number, items: readonly string[], sum: number, step: number, arrives: string }} Order */

const steps = ["Собран", "В пути", "У вас"];

/**
 * An order as a card in plain DOM.
 *
 * @type {import("@nitka/widget").NitkaRenderer<import("@nitka/widget").RenderedData>}
 */
export function orderCard(container, { data }, api) {
  const order = /** @type {Order} */ (data);
  container.className = "order-card";
  const cancel = element("button", "order-cancel", "Отменить заказ");
  cancel.addEventListener("click", () => void api.send(`Отмени заказ ${order.number}`));
  const line = element("ol", "order-steps");
  steps.forEach((name, index) => {
    const step = element("li", index <= order.step ? "is-done" : "", name);
    if (index === order.step) step.ariaCurrent = "step";
    line.append(step);
  });
  container.append(
    element("strong", "order-title", `Заказ ${order.number}`),
    element("span", "order-sum", `${order.sum.toLocaleString("ru")} ₽`),
    element("p", "order-items", order.items.join(", ")),
    line,
    element("p", "order-arrives", `Доставка ${order.arrives}`),
    cancel,
  );
}

/**
 * @param {string} tag
 * @param {string} className
 * @param {string} [text]
 */
function element(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}
