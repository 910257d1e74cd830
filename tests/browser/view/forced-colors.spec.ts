import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { visitStates } from "../states.ts";

/** The contrast ratio that a control needs to its surroundings (WCAG 2.2, 1.4.11). */
const MIN_CONTRAST = 3;

/** The elements with too little contrast between the darkest and the lightest pixel of their box on a screenshot. */
async function indistinct(page: Page, css: string): Promise<readonly string[]> {
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

/** Elements that the forced colours must leave visible. An image keeps its own colours, so its button is left out. */
const checked =
  "button:not(.image-part), a[href], input:enabled, textarea, [role^=menuitem], progress, .skeleton, .running-mark, .writing-dot";

for (const scheme of ["light", "dark"] as const) {
  test(`every control, mark and progress bar is visible in forced colours (${scheme})`, async ({
    chat,
    page,
    console,
  }) => {
    test.setTimeout(60_000);
    console.allow(/./);
    await page.emulateMedia({ forcedColors: "active", colorScheme: scheme });
    const found: Record<string, readonly string[]> = {};
    await visitStates(chat, async (state) => {
      // An element can move between the screenshot and the measurement, as when an image loads, so a miss is measured again.
      let missing = await indistinct(page, checked);
      for (let tries = 0; missing.length > 0 && tries < 5; tries += 1) missing = await indistinct(page, checked);
      if (missing.length > 0) found[state] = missing;
    });
    expect(found).toEqual({});
  });
}

test("the open thread, the focus and a disabled control are distinguishable in forced colours", async ({
  chat,
  page,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  await chat.seed({ title: "Первый" }, { title: "Второй" });
  await chat.open();
  const [active, other] = [chat.row("Второй"), chat.row("Первый")];
  const mark = (row: typeof active) =>
    row.evaluate((element) => {
      const { backgroundColor, opacity } = getComputedStyle(element, "::before");
      return opacity === "0" ? "none" : backgroundColor;
    });
  expect(await mark(other)).toBe("none");
  expect(await mark(active)).not.toBe(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));

  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const composer = chat.root.locator(".composer");
  const box = await composer.boundingBox();
  const clip = { x: (box?.x ?? 0) - 6, y: (box?.y ?? 0) - 6, width: (box?.width ?? 0) + 12, height: 6 };
  const around = async () => (await page.screenshot({ clip })).toString("base64");
  const outside = await around();
  await chat.composer.focus();
  expect(await around()).not.toBe(outside);

  const off = await chat.sendButton.evaluate((element) => getComputedStyle(element).color);
  await chat.composer.fill("Вопрос");
  expect(await chat.sendButton.evaluate((element) => getComputedStyle(element).color)).not.toBe(off);
});
