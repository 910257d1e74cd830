// @ts-check
const [WIDTH, HEIGHT, EDGE] = [320, 120, 8];

/**
 * Prices as a line, in the widget's own colours. The chart is an SVG of a few elements.
 *
 * @type {import("@nitka/widget").NitkaRenderer<import("@nitka/widget").RenderedData>}
 */
export function priceChart(container, { data }) {
  const prices = /** @type {readonly number[]} */ (data);
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  const points = prices.map((price, index) => {
    const x = EDGE + (index / (prices.length - 1)) * (WIDTH - 2 * EDGE);
    const y = EDGE + ((most - price) / (most - least)) * (HEIGHT - 2 * EDGE);
    return /** @type {const} */ ([x, y]);
  });
  const line = points.map((point) => point.join(" ")).join(" L ");
  const [x = 0, y = 0] = points.at(-1) ?? [];
  container.className = "price-chart";
  container.append(
    svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Цены: ${prices.join(", ")} ₽` }, [
      svg("path", { class: "chart-area", d: `M ${line} V ${HEIGHT} H ${EDGE} Z` }),
      svg("path", { class: "chart-line", d: `M ${line}` }),
      svg("circle", { class: "chart-point", cx: x, cy: y, r: 4 }),
    ]),
    caption(`от ${rubles(least)} до ${rubles(most)}, сейчас ${rubles(prices.at(-1) ?? 0)}`),
  );
}

/** @param {number} sum */
function rubles(sum) {
  return `${sum.toLocaleString("ru")} ₽`;
}

/** @param {string} text */
function caption(text) {
  const made = document.createElement("p");
  made.textContent = text;
  return made;
}

/**
 * @param {string} name
 * @param {Readonly<Record<string, string | number>>} attributes
 * @param {readonly Element[]} [children]
 */
function svg(name, attributes, children = []) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}
