import type { Page } from "@playwright/test";

/** The minimum contrast ratio of a control to its surroundings (WCAG 2.2, 1.4.11). */
const MIN_CONTRAST = 3;

/** Elements that must stay visible with forced colours. An image keeps its own colours, so its button is left out. */
const checked =
  "button:not(.image-part), a[href], input:enabled, textarea, [role^=menuitem], progress, .skeleton, .running-mark, .writing-dot";

/** The controls, marks and progress bars that cannot be distinguished from their surroundings, as with forced colours. */
export async function indistinct(page: Page): Promise<readonly string[]> {
  // An element can move between the screenshot and the measurement, for example when an image loads, so a miss is measured
  // again.
  let missing = await measure(page, checked);
  for (let tries = 0; missing.length > 0 && tries < 5; tries += 1) missing = await measure(page, checked);
  return missing;
}

/** The elements whose box on a screenshot has too little contrast between its darkest and lightest pixel. */
async function measure(page: Page, css: string): Promise<readonly string[]> {
  const picture = (await page.screenshot({ animations: "allow" })).toString("base64");
  return page.evaluate(
    async ([source, selector, minContrast]) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${source}`)).blob());
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
      if (!context) throw new Error("no canvas");
      context.drawImage(image, 0, 0);
      const luminance = (red: number, green: number, blue: number) => {
        const [r, g, b] = [red, green, blue].map((part) => {
          const share = part / 255;
          return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
      };
      const root = document.querySelector("nitka-chat")?.shadowRoot;
      return [...(root?.querySelectorAll<HTMLElement>(selector) ?? [])].flatMap((element) => {
        if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
        const { x, y, width, height } = element.getBoundingClientRect();
        const hit = root?.elementFromPoint(x + width / 2, y + height / 2);
        if (hit == null || !(element.contains(hit) || hit.contains(element))) return [];
        const { data } = context.getImageData(x - 1, y - 1, Math.max(1, width + 2), Math.max(1, height + 2));
        let [darkest, lightest] = [1, 0];
        for (let at = 0; at < data.length; at += 4) {
          const light = luminance(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0);
          darkest = Math.min(darkest, light);
          lightest = Math.max(lightest, light);
        }
        const contrast = (lightest + 0.05) / (darkest + 0.05);
        if (contrast >= minContrast) return [];
        return [`${element.ariaLabel ?? element.textContent.trim()} (${element.className}): ${contrast.toFixed(1)}`];
      });
    },
    [picture, css, MIN_CONTRAST] as const,
  );
}
