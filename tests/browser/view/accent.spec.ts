import { core, expect, test } from "../fixtures.ts";

test(
  "text on any accent colour has a contrast of 4.5:1, at rest and under the pointer",
  core,
  async ({ chat, page }) => {
    await chat.open();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const faults = await page.evaluate(() => {
        const host = document.querySelector<HTMLElement>("nitka-chat");
        const root = host?.shadowRoot?.querySelector(".shell");
        if (!host || !root) throw new Error("no widget");
        const canvas = document.createElement("canvas");
        const pen = canvas.getContext("2d", { willReadFrequently: true });
        const probe = document.createElement("i");
        root.append(probe);
        if (!pen) throw new Error("no canvas");
        const luminance = (color: string) => {
          pen.fillStyle = color;
          pen.fillRect(0, 0, 1, 1);
          const [r = 0, g = 0, b = 0] = [...pen.getImageData(0, 0, 1, 1).data].map((value) => {
            const part = value / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        probe.style.cssText =
          "color: var(--nitka-on-accent); background: var(--nitka-accent-fill); outline-color: var(--nitka-accent-hover)";
        const found: string[] = [];
        const steps = Array.from({ length: 6 }, (_, index) => index * 51);
        const accents = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `rgb(${r} ${g} ${b})`)));
        accents.push("#1976d2", "oklch(0.5995 0 0)", "oklch(0.6 0.1 250)", "#6750a4", "#e91e63");
        for (const accent of accents) {
          host.style.setProperty("--nitka-accent", accent);
          const { color, backgroundColor, outlineColor } = getComputedStyle(probe);
          const text = luminance(color);
          for (const [surface, shown] of Object.entries({ fill: backgroundColor, hover: outlineColor })) {
            const seen = luminance(shown);
            const [dark = 0, light = 0] = [text, seen].toSorted((a, b) => a - b);
            const ratio = (light + 0.05) / (dark + 0.05);
            if (ratio < 4.5) found.push(`${accent} ${surface} ${ratio.toFixed(2)}`);
          }
        }
        probe.remove();
        host.style.removeProperty("--nitka-accent");
        return found;
      });
      expect(faults, colorScheme).toEqual([]);
    }
  },
);

test("an answer is as wide as the thread that a host widens", async ({ chat, page }) => {
  await page.setViewportSize({ width: 1400, height: 800 });
  const long = "Частнопредпринимательский ".repeat(60);
  await chat.seed({ title: "Разговор", turns: [["Вопрос", `${long}\n\n| а | б |\n| - | - |\n| 1 | 2 |`]] });
  await chat.open("/", { head: "<style>nitka-chat { --nitka-thread-width: 900px }</style>" });
  const width = () => chat.answers.locator(".markdown").evaluate((element) => element.clientWidth);
  await expect.poll(width).toBe(900);
});
