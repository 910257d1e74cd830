import type { Page } from "@playwright/test";
import { coreIf, expect, test } from "./fixtures.ts";
import { visitStates } from "./states.ts";

/** A window of 1280 × 1024 at 400 %. */
test.use({ viewport: { width: 320, height: 256 } });

/**
 * Finds problems at this size: controls that cannot be scrolled to and clicked, and boxes other than code, tables and
 * attachments that scroll sideways.
 */
function findUnusable(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const root = document.querySelector("nitka-chat")?.shadowRoot;
    const elements = [...(root?.querySelectorAll<HTMLElement>(".shell, .shell *") ?? [])];
    const modal = root?.querySelector("dialog:modal:not(:has(dialog:modal))");
    const controls = elements.filter(
      (element) =>
        element.matches("button, a[href], input:enabled, textarea, audio, [role^=menuitem]") &&
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        !element.closest("[inert]") &&
        (!modal || modal.contains(element)) &&
        (!root?.querySelector(".menu:popover-open") || element.matches("[role^=menuitem]")),
    );
    const unreachable = controls.flatMap((control) => {
      control.scrollIntoView({ block: "center", inline: "center" });
      const { x, y, width, height } = control.getBoundingClientRect();
      const hit = root?.elementFromPoint(x + width / 2, y + height / 2);
      const isHit = hit != null && (hit === control || control.contains(hit));
      const isWhole = x >= -0.5 && x + width <= innerWidth + 0.5;
      if (isHit && isWhole) return [];
      const name = control.ariaLabel ?? control.textContent.trim();
      return [`${name} at ${Math.round(x)}, ${Math.round(y)}: ${Math.round(width)} × ${Math.round(height)}`];
    });
    const sideways = [document.documentElement, ...elements]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .filter(
        (element) => /auto|scroll/.test(getComputedStyle(element).overflowX) || element === document.documentElement,
      )
      .filter((element) => !element.matches("pre, .table-scroll, .attachments"))
      .map((element) => `${element.className} scrolls sideways`);
    return [...unreachable, ...sideways];
  });
}

for (const [layout, host] of [
  ["inline", {}],
  ["launcher", { options: `{ layout: "launcher" }`, body: "<h1>Магазин</h1>" }],
] as const) {
  test(
    `every control of the ${layout} layout can be reached at 400 %, and nothing scrolls in two directions`,
    coreIf(layout === "inline"),
    async ({ chat, page, console }) => {
      console.allow(/./);
      const found: Record<string, readonly string[]> = {};
      await visitStates(
        chat,
        async (state) => {
          const missing = await findUnusable(page);
          if (missing.length > 0) found[state] = missing;
        },
        host,
      );
      expect(found).toEqual({});
    },
  );
}
