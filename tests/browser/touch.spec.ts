import type { Page } from "@playwright/test";
import { coreIf, expect, motion, test } from "./fixtures.ts";
import { visitStates } from "./states.ts";

test.use(motion);

const MIN_TARGET_PX = 44;

/**
 * The controls whose touch target is less than 44 px wide or high. A target includes the area around a control that takes its
 * touches. Inline links are exempt (WCAG 2.2, 2.5.5), because they are as high as their line.
 */
function smallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate((least) => {
    const root = document.querySelector("nitka-chat")?.shadowRoot;
    const controls = root?.querySelectorAll<HTMLElement>(
      "button, a[href], input:enabled, textarea, audio, [role^=menuitem]",
    );
    // Beside an open menu, a touch only closes the menu. Those controls are measured in a state without it.
    const isMenuOpen = root?.querySelector(".menu:popover-open") != null;
    return [...(controls ?? [])].flatMap((control) => {
      if (isMenuOpen && !control.matches("[role^=menuitem]")) return [];
      if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
      if (control.closest("[inert]") || getComputedStyle(control).display === "inline") return [];
      control.scrollIntoView({ block: "center", inline: "center" });
      const box = control.getBoundingClientRect();
      const answers = (x: number, y: number) => {
        // The thread scrolls beneath the floating button, so the button covers nothing permanently.
        const hit = root?.elementsFromPoint(x, y).find((one) => one === control || !one.closest(".scroll-down"));
        return hit != null && (hit === control || control.contains(hit));
      };
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      // A control under a dialog gets no touches. It is measured in a state without the dialog.
      if (!answers(x, y)) return [];
      const reach = (dx: number, dy: number) => {
        let steps = 0;
        while (steps < least && answers(x + dx * (steps + 0.5), y + dy * (steps + 0.5))) steps += 1;
        return steps;
      };
      const [width, height] = [reach(-1, 0) + reach(1, 0), reach(0, -1) + reach(0, 1)];
      if (width >= least && height >= least) return [];
      return [`${control.ariaLabel ?? control.textContent.trim()}: ${width} × ${height}`];
    });
  }, MIN_TARGET_PX);
}

for (const [device, viewport] of [
  ["a phone", { width: 390, height: 800 }],
  ["a tablet", { width: 1024, height: 768 }],
] as const) {
  test.describe(`on ${device} with touch`, () => {
    test.use({ hasTouch: true, isMobile: true, viewport });

    test(
      "every control in every state is at least 44 px wide and high",
      coreIf(device === "a phone"),
      async ({ chat, page, console }) => {
        console.allow(/./);
        const small: Record<string, readonly string[]> = {};
        await visitStates(chat, async (state) => {
          const found = await smallTargets(page);
          if (found.length > 0) small[state] = found;
        });
        expect(small).toEqual({});
      },
    );
  });
}
