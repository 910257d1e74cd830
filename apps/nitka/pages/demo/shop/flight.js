const FLIGHT_MS = 520;
const PULSE_MS = 320;

/**
 * Animates the picture of a good from the shelf into the basket, whose count then lights up. There is no animation for
 * visitors who prefer reduced motion, or when the shelf is out of view.
 *
 * @param {string} sku
 * @param {HTMLElement} cart
 */
export function flyToBasket(sku, cart) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const pulse = { scale: ["1", "1.35", "1"], easing: "ease-out" };
  const picture = document.querySelector(`li[data-sku="${sku}"] img`);
  const from = picture?.getBoundingClientRect();
  if (!(picture instanceof HTMLImageElement) || !from || from.bottom < 0 || from.top > innerHeight) {
    cart.animate(pulse, PULSE_MS);
    return;
  }
  const to = cart.getBoundingClientRect();
  const flying = document.createElement("img");
  flying.src = picture.src;
  flying.alt = "";
  flying.className = "flying";
  flying.style.cssText = `left: ${from.left}px; top: ${from.top}px; width: ${from.width}px; height: ${from.height}px`;
  document.body.append(flying);
  const [x, y] = [
    to.left + to.width / 2 - from.left - from.width / 2,
    to.top + to.height / 2 - from.top - from.height / 2,
  ];
  const path = [
    { translate: "0 0", scale: "1", opacity: 1, borderRadius: "10px" },
    { translate: `${x * 0.6}px ${y * 0.75}px`, scale: "0.3", opacity: 1, borderRadius: "50%", offset: 0.7 },
    { translate: `${x}px ${y}px`, scale: "0.06", opacity: 0.2, borderRadius: "50%" },
  ];
  flying
    .animate(path, { duration: FLIGHT_MS, easing: "cubic-bezier(0.3, 0, 0.2, 1)" })
    .addEventListener("finish", () => {
      flying.remove();
      cart.animate(pulse, PULSE_MS);
    });
}
