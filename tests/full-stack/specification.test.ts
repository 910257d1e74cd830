import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(`${root}docs/specification.md`, "utf8");

/** The rows of the page's tables: a statement, the file that implements it, and the tests that prove it. */
const rows = page
  .split("\n")
  .filter((line) => /^\| (?!statement|---)/.test(line))
  .map((line) => {
    const [statement = "", place = "", proofs = ""] = line
      .split(/(?<!\\)\|/)
      .slice(1)
      .map((cell) => cell.trim());
    return { statement, place: place.replaceAll("`", ""), proofs: proofs.split("<br>") };
  });

it.each(rows)("the row «$statement» names a file and tests that exist", ({ place, proofs }) => {
  const home = place.startsWith("packages/") ? place : `packages/widget/src/${place}`;
  expect({ home, exists: existsSync(root + home) }).toEqual({ home, exists: true });
  for (const proof of proofs) {
    const [, file = "", title = ""] = /^`([^`]+)`: (.+)$/.exec(proof) ?? [];
    const path = /^(packages|apps|tests|examples)\//.test(file) ? file : `tests/browser/${file}`;
    expect(readFileSync(root + path, "utf8")).toContain(title.replaceAll("\\|", "|"));
  }
});
