import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { contentHash } from "./content-hash.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "nitka-hash-"));
  mkdirSync(join(folder, "src", "deep"), { recursive: true });
  writeFileSync(join(folder, "src", "a.ts"), "a");
  writeFileSync(join(folder, "src", "deep", "b.ts"), "b");
});
afterEach(() => rmSync(folder, { recursive: true }));

it("does not change with a file's modification time", () => {
  const before = contentHash(folder, ["src"]);
  utimesSync(join(folder, "src", "a.ts"), 1, 1);
  expect(contentHash(folder, ["src"])).toBe(before);
});

it("changes with a file's content, its name, and a new file", () => {
  const hashes = [contentHash(folder, ["src"])];
  writeFileSync(join(folder, "src", "deep", "b.ts"), "c");
  hashes.push(contentHash(folder, ["src"]));
  renameSync(join(folder, "src", "a.ts"), join(folder, "src", "z.ts"));
  hashes.push(contentHash(folder, ["src"]));
  writeFileSync(join(folder, "src", "new.ts"), "");
  hashes.push(contentHash(folder, ["src"]));
  expect(new Set(hashes).size).toBe(4);
});

it("ignores filtered files, node_modules and missing paths", () => {
  const before = contentHash(folder, ["src", "nowhere"], (path) => !path.endsWith(".test.ts"));
  writeFileSync(join(folder, "src", "a.test.ts"), "");
  mkdirSync(join(folder, "src", "node_modules"));
  writeFileSync(join(folder, "src", "node_modules", "x.ts"), "");
  expect(contentHash(folder, ["src", "nowhere"], (path) => !path.endsWith(".test.ts"))).toBe(before);
});
