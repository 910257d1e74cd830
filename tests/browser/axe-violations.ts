import { createRequire } from "node:module";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** The version of axe that the builder uses. */
const requireAsBuilder = createRequire(createRequire(import.meta.url).resolve("@axe-core/playwright"));
const { source } = requireAsBuilder("axe-core") as { readonly source: string };

/** Adds to the builder what to check. */
type AxeQuery = (axe: AxeBuilder) => AxeBuilder;

/**
 * The violations that axe finds, each as «rule: element». The code of axe is sent to a page once. The builder would send it twice
 * for each check, which takes as long as the check.
 */
export async function axeViolations(page: Page, query: AxeQuery): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  // To check frames of other origins, which do not exist here, axe would open another page for each check. The legacy mode does
  // not. Axe describes in detail only what does not hold.
  const axe = new AxeBuilder({ page, axeSource: "void 0" }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await query(axe).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${String(target.flat().at(-1))}`));
}
