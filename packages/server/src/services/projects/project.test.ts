import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { costOf, defaultLimits } from "./project.ts";

/** The default of each limit in the table of a document. A row has one default for all of its limits, or one for each. */
function documentedLimits(page: string): Readonly<Record<string, unknown>> {
  const text = readFileSync(new URL(`../../../../../docs/${page}`, import.meta.url), "utf8");
  const rows = [...text.matchAll(/^\| (`\w+`(?: `\w+`)*) +\|.*\| ([^|]+?) +\|$/gm)];
  const limits = rows.flatMap(([, names = "", defaults = ""]) => {
    const values = defaults.split(", ").map((value) => (/^\D+$/.test(value) ? null : Number(value.replace(/\s/g, ""))));
    return (names.match(/\w+/g) ?? []).map(
      (name, index) => [name, values.length === 1 ? values[0] : values[index]] as const,
    );
  });
  return Object.fromEntries(limits.filter(([name]) => name in defaultLimits));
}

it("has the default limits that docs/configuration.md names, and the Russian page names no others", () => {
  expect(documentedLimits("configuration.md")).toEqual(defaultLimits);
  const russian = documentedLimits("ru/configuration.md");
  expect(Object.keys(russian).length).toBeGreaterThan(5);
  expect(defaultLimits).toMatchObject(russian);
});

const tokens = { inputTokens: 3_000_000, cachedInputTokens: 1_000_000, outputTokens: 500_000 };

it("a cost is computed per million tokens, with a separate price for cached tokens", () => {
  expect(costOf(tokens, { input: 2, cachedInput: 0.5, output: 8 })).toBe(8.5);
  expect(costOf(tokens, { input: 2, output: 8 })).toBe(10);
  expect(costOf(tokens, { input: 2, cachedInput: 0, output: 8 })).toBe(8);
});

it("a model without a price has no cost", () => {
  expect(costOf(tokens, undefined)).toBeUndefined();
});
