/** The visitor's basket. It is stored in this browser and shared by all its tabs. */
import { inRoubles } from "./wording.js";

/**
 * What the basket holds, ready to be shown.
 *
 * @typedef {object} BasketContent
 * @property {readonly BasketLine[]} lines
 * @property {number} goods The sum of the lines, in roubles.
 * @property {number} delivery In roubles; 0 for an empty basket.
 * @property {number} total
 * @property {number} tillFreeDelivery What is missing until the delivery is free; 0 if nothing is.
 *
 * @typedef {{ readonly sku: string, readonly title: string, readonly count: number, readonly price: number }} BasketLine
 * @typedef {{ readonly type: "added" | "removed" | "ordered" | "reloaded", readonly sku?: string }} BasketChange
 * @typedef {ReturnType<typeof createBasket>} Basket
 */

const BASKET = "cherepok.basket";
const ORDERS = "cherepok.orders";

/** The number of this browser's first order. */
const FIRST_ORDER = 1042;

/**
 * @param {object} options
 * @param {readonly import("./goods.js").Good[]} options.goods
 * @param {import("./goods.js").Delivery} options.delivery
 * @param {Pick<Storage, "getItem" | "setItem">} options.storage
 */
export function createBasket({ goods, delivery, storage }) {
  /** @type {Set<(change: BasketChange) => void>} */
  const listeners = new Set();
  const bySku = new Map(goods.map((good) => [good.sku, good]));
  let counts = read();

  /** The number of each good. The stored basket may be from an older shelf. */
  function read() {
    /** @type {Map<string, number>} */
    const found = new Map();
    try {
      for (const [sku, count] of Object.entries(JSON.parse(storage.getItem(BASKET) ?? "{}"))) {
        if (bySku.has(sku) && Number.isInteger(count) && count > 0) found.set(sku, count);
      }
    } catch {
      // The stored text is not JSON.
    }
    return found;
  }

  /** @param {BasketChange} change */
  function changed(change) {
    storage.setItem(BASKET, JSON.stringify(Object.fromEntries(counts)));
    for (const listener of listeners) listener(change);
  }

  /** @param {unknown} sku */
  function known(sku) {
    const good = bySku.get(String(sku));
    if (!good) throw new Error(`Вещи «${String(sku)}» на полке нет.`);
    return good;
  }

  /** @returns {BasketContent} */
  function content() {
    const lines = [...counts].map(([sku, count]) => {
      const { title, price } = known(sku);
      return { sku, title, count, price };
    });
    const sum = lines.reduce((all, { count, price }) => all + count * price, 0);
    const isFree = sum === 0 || sum >= delivery.freeFrom;
    return {
      lines,
      goods: sum,
      delivery: isFree ? 0 : delivery.price,
      total: sum + (isFree ? 0 : delivery.price),
      tillFreeDelivery: isFree ? 0 : delivery.freeFrom - sum,
    };
  }

  return {
    goods,
    delivery,
    content,

    /** The total number of things. */
    count: () => [...counts.values()].reduce((all, count) => all + count, 0),

    /**
     * @param {unknown} sku
     * @param {unknown} count
     * @throws {Error} a sentence for the visitor, when the shop does not have this many
     */
    add(sku, count = 1) {
      const { sku: id, title, stock, availability } = known(sku);
      const wanted = Number(count);
      if (!Number.isInteger(wanted) || wanted < 1) throw new Error(`Столько положить нельзя: ${String(count)}.`);
      const held = counts.get(id) ?? 0;
      if (stock === 0) throw new Error(`${title}: сейчас нет, ${availability}.`);
      if (held + wanted > stock) {
        throw new Error(`${title}: осталось\u00A0${stock}${held > 0 ? `, и\u00A0${held} уже в\u00A0корзине` : ""}.`);
      }
      counts.set(id, held + wanted);
      changed({ type: "added", sku: id });
    },

    /**
     * @param {unknown} sku
     * @throws {Error} a sentence for the visitor, when the basket does not have it
     */
    remove(sku) {
      const { sku: id, title } = known(sku);
      if (!counts.delete(id)) throw new Error(`${title}: в корзине этого нет.`);
      changed({ type: "removed", sku: id });
    },

    /**
     * Orders the basket's contents, and empties the basket.
     *
     * @throws {Error} a sentence for the visitor, when the basket is empty
     */
    order() {
      const ordered = content();
      if (ordered.lines.length === 0) throw new Error("Корзина пуста, заказывать нечего.");
      const number = Number(storage.getItem(ORDERS) ?? FIRST_ORDER);
      storage.setItem(ORDERS, String(number + 1));
      counts.clear();
      changed({ type: "ordered" });
      return { ...ordered, number, tillFreeDelivery: 0 };
    },

    /** Reads the changes of another tab. */
    reload() {
      counts = read();
      for (const listener of listeners) listener({ type: "reloaded" });
    },

    /** @param {(change: BasketChange) => void} listener */
    subscribe(listener) {
      listeners.add(listener);
    },
  };
}

/**
 * The delivery price, in the shop's wording.
 *
 * @param {BasketContent} content
 */
export function deliveryPrice({ delivery }) {
  return delivery === 0 ? "бесплатно" : inRoubles(delivery);
}
