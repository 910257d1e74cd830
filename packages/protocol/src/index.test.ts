import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("the package exports only types from its root", async () => {
  expect(Object.keys(await import("@nitka/protocol"))).toEqual([]);
  const statements = readFileSync(new URL("index.ts", import.meta.url), "utf8")
    .replaceAll(/\/\*\*.*?\*\//gs, "")
    .split(";")
    .map((statement) => statement.trim())
    .filter(Boolean);
  expect(statements.filter((statement) => !statement.startsWith("export type {"))).toEqual([]);
});

it("has no dependencies", () => {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(manifest).not.toHaveProperty("dependencies");
  expect(manifest).not.toHaveProperty("peerDependencies");
});
