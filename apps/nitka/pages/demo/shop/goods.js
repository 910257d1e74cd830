/**
 * A good as the page shows it.
 *
 * @typedef {object} Good
 * @property {string} sku
 * @property {string} title
 * @property {string} about One or two sentences.
 * @property {number} price In roubles.
 * @property {number} stock How many there are.
 * @property {string} availability The stock in words: «осталось 4».
 * @property {string} image The address of its picture.
 *
 * @typedef {object} Delivery
 * @property {number} price In roubles.
 * @property {number} freeFrom The total in roubles from which the delivery is free.
 */

/**
 * The goods on the shelf.
 *
 * @returns {readonly Good[]}
 */
export function readGoods() {
  return [...document.querySelectorAll("li[data-sku]")].map((item) => {
    const { sku = "", price, stock } = /** @type {HTMLElement} */ (item).dataset;
    const text = (/** @type {string} */ selector) => item.querySelector(selector)?.textContent?.trim() ?? "";
    return {
      sku,
      title: text("h3"),
      about: text(".about").replaceAll(/\s+/g, " "),
      price: Number(price),
      stock: Number(stock),
      availability: text(".price span"),
      image: item.querySelector("img")?.src ?? "",
    };
  });
}

/** @returns {Delivery} */
export function readDelivery() {
  const { price, freeFrom } = document.getElementById("delivery")?.dataset ?? {};
  return { price: Number(price), freeFrom: Number(freeFrom) };
}
