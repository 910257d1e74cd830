/**
 * Compares our search with other searches over the same passages, and with versions that lack one of its ingredients. Prints
 * tables in Markdown.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTemporaryPostgres } from "@nitka/server/temporary-postgres";
import { Client } from "pg";
import { runCommand } from "../../scripts/run-command.mjs";
import { namedParts, Report } from "../report.ts";
import { readCorpora, readDocuments } from "./corpora.ts";
import type { Corpus } from "./corpora.ts";
import { compareDatabases } from "./databases.ts";
import { judge, scoreOf } from "./judge.ts";
import type { Judged, Score, Search } from "./judge.ts";
import { createFts5, createMiniSearch, createOrama, createPostgres } from "./peers.ts";
import { measureReading } from "./measure-reading.ts";
import { variants } from "./variants.ts";
import type { Replacement } from "./variants.ts";

/** For each site, its questions with the ranks of their answers. */
type Results = readonly (readonly Judged[])[];

const parts = namedParts(["quality", "databases", "reading"]);
const report = new Report();
const corpora = await readCorpora(["ru", "en"]);
const postgres = await startTemporaryPostgres();
const place = await mkdtemp(join(tmpdir(), "nitka-retrieval-"));
try {
  if (parts.includes("quality")) await measureQuality();
  if (parts.includes("databases")) {
    const { sameFirst, ...databases } = await compareDatabases(corpora);
    for (const [name, figures] of Object.entries(databases)) {
      for (const [when, { p50, p99, least99, cpuMs }] of [
        ["alone", figures.alone],
        ["beside 100 answers", figures.beside],
      ] as const) {
        const others = `p50 ${p50.toFixed(1)}, p99 of the least of three ${least99.toFixed(1)}, processor ${cpuMs.toFixed(1)}`;
        report.below(`${name}, a search ${when}, p99`, p99, 20, "ms", others);
      }
      report.below(`${name}, memory that searches add`, figures.memoryMb, 100, "MB");
    }
    report.above("Questions with the same first page in both", sameFirst * 100, 95, "%");
  }
  if (parts.includes("reading")) {
    const { first, second, quietP99, readingP99 } = await measureReading(await readDocuments());
    report.above("Pages read", first, 20, "a second");
    report.above("Pages read again, unchanged", second, 200, "a second");
    report.ratio("An event's delay during a reading, p99", readingP99, quietP99, 2, "ms");
  }
  report.end();
} finally {
  await postgres.stop();
  await rm(place, { recursive: true });
}

async function measureQuality(): Promise<void> {
  const file = join(place, "corpora.json");
  await writeFile(file, JSON.stringify(corpora));
  const searches = await compareSearches(corpora, file);
  const [ours = [], ...peers] = searches.map(([, results]) => results);
  for (const [at, { name }] of corpora.entries()) {
    const { recall, mrr } = scoreOf(ours[at] ?? []);
    const scores = peers.map((results) => scoreOf(results[at] ?? []));
    const best = (key: keyof Score) => Math.max(...scores.map((score) => score[key]));
    report.above(`Answers among the first five, ${name}`, recall * 100, Math.round(best("recall") * 100) + 5, "%");
    report.above(`Mean reciprocal rank × 1000, ${name}`, mrr * 1000, Math.round(best("mrr") * 1000) + 50, "");
  }
  printTable(searches, ["ru", "en"], [...new Set(ours.flat().map(({ kind }) => kind))]);
  console.log("\n| | one half | the other half |\n| --- | --- | --- |");
  const halves = (results: Results) =>
    [0, 1].map((half) => cellOf(results.flatMap((site) => site.filter((_, at) => at % 2 === half)))).join(" | ");
  console.log(`| Nitka | ${halves(ours)} |`);
  for (const { name, replaces } of variants) console.log(`| ${name} | ${halves(await judgeOurs(file, replaces))} |`);
  const others = await readCorpora(["gimp-ru", "gimp-en"]);
  await writeFile(file, JSON.stringify(others));
  printTable(await compareSearches(others, file), ["GIMP, ru", "GIMP, en"], []);
}

type Compared = readonly (readonly [name: string, results: Results])[];

/** Runs our search, which reads the corpora from a file, and the others. */
async function compareSearches(sites: readonly Corpus[], file: string): Promise<Compared> {
  const client = new Client({ connectionString: await postgres.createDatabase() });
  await client.connect();
  try {
    return [
      ["Nitka", await judgeOurs(file, [])],
      ["SQLite FTS5", await judgePeer(sites, createFts5)],
      ["Postgres `russian`", await judgePeer(sites, async (corpus) => createPostgres(corpus, client))],
      ["Orama", await judgePeer(sites, createOrama)],
      ["MiniSearch", await judgePeer(sites, createMiniSearch)],
    ];
  } finally {
    await client.end();
  }
}

function printTable(searches: Compared, sites: readonly string[], kinds: readonly string[]): void {
  const names = [...sites, ...kinds];
  console.log(`\n| | ${names.join(" | ")} |\n|${" --- |".repeat(names.length + 1)}`);
  for (const [name, results] of searches) {
    const ofKinds = kinds.map((kind) => results.flat().filter((each) => each.kind === kind));
    console.log(`| ${name} | ${[...results, ...ofKinds].map(cellOf).join(" | ")} |`);
  }
}

async function judgePeer(sites: readonly Corpus[], create: (corpus: Corpus) => Promise<Search>): Promise<Results> {
  const results = [];
  for (const corpus of sites) results.push(await judge(corpus, await create(corpus)));
  return results;
}

async function judgeOurs(file: string, replaces: readonly Replacement[]): Promise<Results> {
  const script = (name: string) => join(import.meta.dirname, name);
  const { ok, output } = await runCommand(
    process.execPath,
    ["--import", script("variants.ts"), script("ours.ts"), file],
    { env: { NITKA_VARIANT: JSON.stringify(replaces) } },
  );
  if (!ok) throw new Error(`Our search failed: ${output}`);
  return JSON.parse(output) as Results;
}

/** Recall among the first five in percent, and the mean reciprocal rank. */
function cellOf(judged: readonly Judged[]): string {
  const { recall, mrr } = scoreOf(judged);
  return `${percent(recall)} / ${mrr.toFixed(2)}`;
}

function percent(share: number): string {
  return (share * 100).toFixed(0);
}
