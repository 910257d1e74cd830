// @ts-check
/**
 * @typedef {object} Mermaid
 * @property {(config: object) => void} initialize
 * @property {(id: string, code: string) => Promise<{ svg: string }>} render
 */

const MERMAID = "https://cdn.jsdelivr.net/npm/mermaid@11/dist/mermaid.esm.min.mjs";

let count = 0;

/**
 * A diagram by mermaid, which loads with the first one. It throws for code that it cannot draw, and the widget then shows the
 * code itself.
 *
 * @type {import("@nitka/widget").NitkaRenderer<import("@nitka/widget").RenderedCode>}
 */
export async function diagram(container, part, api) {
  container.className = "diagram";
  /** @param {import("@nitka/widget").RenderedCode} code */
  const draw = async ({ text, complete }) => {
    if (!complete) return container.replaceChildren("Рисую схему…");
    const { default: mermaid } = /** @type {{ default: Mermaid }} */ (await import(MERMAID));
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: "strict",
      theme: api.colorScheme === "dark" ? "dark" : "neutral",
    });
    count += 1;
    const { svg } = await mermaid.render(`diagram-${count}`, text);
    container.innerHTML = svg;
  };
  await draw(part);
  return { update: draw };
}
