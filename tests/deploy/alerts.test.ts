import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

it("alerts on metrics that the server has", () => {
  const [, rules = ""] = /^```yaml\n(.*?)^```$/ms.exec(read("docs/operating.md")) ?? [];
  const { groups } = parse(rules) as {
    readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
  };
  const expressions = groups.flatMap((group) => group.rules.map(({ expr }) => expr));
  const named = expressions.flatMap((expr) =>
    [...expr.matchAll(/\bnitka_\w+/g)].map(([name]) => name.replace(/_bucket$/, "")),
  );
  const known = new Set(
    ["metrics.ts", "process-metrics.ts"].flatMap((file) =>
      [...read(`packages/server/src/http/${file}`).matchAll(/"(nitka_\w+)"/g)].map(([, name]) => name),
    ),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});
