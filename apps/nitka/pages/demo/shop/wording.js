/** The shop's wording of sums and counts. */

const roubles = new Intl.NumberFormat("ru-RU", { style: "currency", currency: "RUB", maximumFractionDigits: 0 });
const rules = new Intl.PluralRules("ru");

/**
 * @param {number} sum
 * @example inRoubles(1450) // "1 450 ₽"
 */
export function inRoubles(sum) {
  return roubles.format(sum);
}

/**
 * @param {number} count
 * @example inThings(3) // "3 вещи"
 */
export function inThings(count) {
  const form = rules.select(count);
  return `${count}\u00A0${form === "one" ? "вещь" : form === "few" ? "вещи" : "вещей"}`;
}
