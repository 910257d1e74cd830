/** Writes docs/benchmarks.md and its chart from a run. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../../scripts/run-command.mjs";
import { findTool, root } from "../../scripts/workspace.mjs";
import { measures, pageOf } from "./benchmarks-text.ts";
import type { Results, Run } from "./benchmarks-text.ts";
import { chartOf } from "./chart-svg.ts";
import { ours } from "./peers.ts";

/** The beginning of the page's section about the search, whose figures `npm run bench:retrieval` prints. */
const SEARCH = "\n## Finding the right page\n";

export async function writeBenchmarks(run: Run): Promise<void> {
  const base = run.results.get(ours);
  if (!base || measures.some(([measure]) => typeof base.cell(measure) === "string"))
    throw new Error("The widget itself could not be measured, so nothing is written.");
  const page = join(root, "docs", "benchmarks.md");
  await writeFile(join(root, "docs", "pictures", "benchmarks.svg"), chartOf(panelsOf(run.results)));
  // The section of the other benchmark stays.
  const [, search = ""] = (await readFile(page, "utf8")).split(SEARCH);
  await writeFile(page, `${pageOf(run)}${search && SEARCH}${search}`);
  // Aligns the columns of the tables, as the format check expects.
  const { ok, output } = await runCommand(process.execPath, [findTool("oxfmt"), page], { cwd: root });
  if (!ok) throw new Error(`docs/benchmarks.md could not be formatted: ${output}`);
  console.log("Written: docs/benchmarks.md and docs/pictures/benchmarks.svg");
}

/** The figures of each chat, rounded, for the console. */
export function roundedOf(results: Results): Readonly<Record<string, object>> {
  const rounded = (cell: number | string) => (typeof cell === "number" ? Math.round(cell) : cell);
  return Object.fromEntries(
    [...results].map(([peer, each]) => [
      peer.name,
      Object.fromEntries(measures.map(([measure]) => [measure, rounded(each.cell(measure))])),
    ]),
  );
}

function panelsOf(results: Results) {
  return measures.map(([measure, title, unit]) => ({
    title: `${title}, ${unit}`,
    bars: [...results].map(([peer, each]) => ({ name: peer.name, value: each.cell(measure), ours: peer === ours })),
  }));
}
