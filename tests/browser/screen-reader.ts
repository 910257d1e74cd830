import type { Page } from "@playwright/test";
import { expect } from "@playwright/test";

/**
 * Records the announcements of a screen reader: texts that enter a live region that it knows and can reach. A text in a region
 * that is inert (outside a modal dialog), has no box, or is as new as its text is not announced. Of new elements only alerts
 * are announced.
 */
export async function recordAnnouncements(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const announced: string[] = [];
    Object.defineProperty(window, "announced", { value: announced });
    const live = "[aria-live]:not([aria-live=off]), output, [role=status], [role=log], [role=alert]";
    const wordsOf = (node: Node | null) => node?.textContent?.replaceAll(/\s+/g, " ").trim() ?? "";
    const contains = (outer: Element, inner: Element): boolean => {
      const root = inner.getRootNode();
      return outer.contains(inner) || (root instanceof ShadowRoot && contains(outer, root.host));
    };
    const isReached = (region: Element) => {
      const root = region.getRootNode() as ShadowRoot;
      const modals = [...document.querySelectorAll(":modal"), ...root.querySelectorAll(":modal")];
      const inert = [...document.querySelectorAll("[inert]"), ...root.querySelectorAll("[inert]")];
      return (
        region.checkVisibility({ visibilityProperty: true }) &&
        modals.every((modal) => contains(modal, region)) &&
        !inert.some((element) => contains(element, region))
      );
    };
    const onChange = (records: readonly MutationRecord[]) => {
      const added = records.flatMap(({ addedNodes }) => [...addedNodes]);
      const isNew = (region: Element) => added.some((node) => node.contains(region));
      const announce = (region: Element, node: Node) => {
        if (wordsOf(node) !== "" && isReached(region)) announced.push(wordsOf(node));
      };
      for (const { addedNodes, target } of records) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest(live);
        if (region && !isNew(region)) {
          for (const node of addedNodes) announce(region, node);
          if (target instanceof Text) announce(region, region);
        }
        for (const node of region ? [] : addedNodes) {
          if (!(node instanceof Element)) continue;
          for (const alert of [node, ...node.querySelectorAll("*")]) {
            if (alert.matches("[role=alert]")) announce(alert, alert);
          }
        }
      }
    };
    const attachShadow = Reflect.get(Element.prototype, "attachShadow");
    Element.prototype.attachShadow = function (options) {
      const root: ShadowRoot = attachShadow.call(this, options);
      new MutationObserver(onChange).observe(root, { childList: true, subtree: true, characterData: true });
      return root;
    };
  });
}

/** The announcements since the last check. */
export function announcedIn(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => Reflect.get(window, "announced") as string[]);
}

/** Waits until exactly these texts have been announced since the last check, in this order. */
export async function expectAnnounced(page: Page, ...texts: readonly string[]): Promise<void> {
  await expect.poll(() => announcedIn(page)).toEqual(texts.map((words) => words.replaceAll(/\s+/g, " ")));
  await page.evaluate(() => Reflect.get(window, "announced").splice(0));
}
