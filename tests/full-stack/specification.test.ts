import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(`${root}docs/specification.md`, "utf8");

/** The rows of the page's tables: a statement, the file that implements it, and the tests that verify it. */
const rows = page
  .split("\n")
  .filter((line) => /^\| (?!statement|---)/.test(line))
  .map((line) => {
    const [statement = "", place = "", proofs = ""] = line
      .split(/(?<!\\)\|/)
      .slice(1)
      .map((cell) => cell.trim());
    return { statement, place: place.replaceAll("`", ""), proofs: proofs.split("<br>").map(readProof) };
  });

interface Proof {
  /** The path of the test's file from the root. */
  readonly path: string;
  readonly title: string;
}

function readProof(text: string): Proof {
  const [, file = "", title = ""] = /^`([^`]+)`: (.+)$/.exec(text) ?? [];
  const path = /^(packages|apps|tests|examples)\//.test(file) ? file : `tests/browser/${file}`;
  return { path, title: title.replaceAll("\\|", "|") };
}

/** Whether `npm test` runs it. It runs browser tests only if they have the tag `core`. */
function isRunAtEachChange({ path, title }: Proof): boolean {
  if (!path.startsWith("tests/browser/")) return /^(packages|apps|tests\/full-stack|tests\/lives)\//.test(path);
  const source = readFileSync(root + path, "utf8");
  const before = source.slice(0, source.indexOf(title) + title.length);
  // The title belongs to a test or to a step of one.
  const start = Math.max(before.lastIndexOf("\ntest("), before.lastIndexOf(" test("));
  return /^\stest\(\s*(?:"(?:[^"\\]|\\.)*"|`[^`]*`|[\w.]+),\s*core/.test(source.slice(start));
}

it.each(rows)("the row «$statement» names a file and tests that exist", ({ place, proofs }) => {
  const home = place.startsWith("packages/") ? place : `packages/widget/src/${place}`;
  expect({ home, exists: existsSync(root + home) }).toEqual({ home, exists: true });
  for (const { path, title } of proofs) expect(readFileSync(root + path, "utf8")).toContain(title);
});

it.each(rows)("the row «$statement» has a proof that runs at each change", ({ proofs }) => {
  expect(proofs.some(isRunAtEachChange)).toBe(true);
});
