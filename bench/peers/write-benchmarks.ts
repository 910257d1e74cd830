/** Writes docs/benchmarks.md and its chart from the medians of a run. */
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import { runCommand } from "../../scripts/run-command.mjs";
import { findTool, root } from "../../scripts/workspace.mjs";
import { versionOf } from "./build-peers.ts";
import { chartOf } from "./chart-svg.ts";
import { CPU_THROTTLE, FIRST_ANSWER, LONG_ANSWER } from "./measure-peer.ts";
import type { PeerFigures } from "./measure-peer.ts";
import { LONG_THREAD } from "./peer-site.ts";
import { notMeasured, ours } from "./peers.ts";
import type { Peer } from "./peers.ts";

type Measure = keyof PeerFigures;
type Medians = ReadonlyMap<Peer, PeerFigures>;

interface Run {
  readonly rounds: number;
  /** The browser's version. */
  readonly browser: string;
}

const number = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const length = (characters: number) => number.format(characters);

/** What is measured, in the order of the columns. */
const measures: readonly (readonly [measure: Measure, title: string, unit: string])[] = [
  ["typeKb", "Files until one can type", "KB"],
  ["typeMs", "Time until one can type", "ms"],
  ["answerKb", "Files of a first answer", "KB"],
  ["streamMs", `Streaming ${length(LONG_ANSWER)} characters`, "ms"],
  ["threadMs", `Opening ${LONG_THREAD} messages`, "ms"],
];

/** The median of each figure. */
export function medianOf(rounds: readonly PeerFigures[]): PeerFigures {
  const median = (measure: Measure) => {
    const sorted = rounds.map((figures) => figures[measure]).toSorted((a, b) => a - b);
    return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
  };
  return {
    typeKb: median("typeKb"),
    typeMs: median("typeMs"),
    answerKb: median("answerKb"),
    streamMs: median("streamMs"),
    threadMs: median("threadMs"),
  };
}

/** The figures of one round on one line. */
export function printed(figures: PeerFigures): string {
  return measures
    .map(([measure, title, unit]) => `${title.toLowerCase()} ${number.format(figures[measure])} ${unit}`)
    .join(", ");
}

/** Writes the page and its chart. */
export async function writeBenchmarks(medians: Medians, run: Run): Promise<void> {
  const base = medians.get(ours);
  if (!base) throw new Error("The widget itself was not measured.");
  const page = join(root, "docs", "benchmarks.md");
  await writeFile(join(root, "docs", "pictures", "benchmarks.svg"), chartOf(panelsOf(medians)));
  await writeFile(page, pageOf(medians, base, run));
  // Aligns the columns of the tables, as the check of the format expects.
  const { ok, output } = await runCommand(process.execPath, [findTool("oxfmt"), page], { cwd: root });
  if (!ok) throw new Error(`docs/benchmarks.md could not be formatted: ${output}`);
  console.log("Written: docs/benchmarks.md and docs/pictures/benchmarks.svg");
}

function panelsOf(medians: Medians) {
  return measures.map(([measure, title, unit]) => ({
    title: `${title}, ${unit}`,
    bars: [...medians].map(([peer, figures]) => ({ name: peer.name, value: figures[measure], ours: peer === ours })),
  }));
}

function pageOf(medians: Medians, base: PeerFigures, { rounds, browser }: Run): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const table = [
    row(["", ...measures.map(([, title, unit]) => `${title}, ${unit}`)]),
    row([":--", ...measures.map(() => "--:")]),
    ...[...medians].map(([peer, figures]) =>
      row([peer.name, ...measures.map(([measure]) => cellOf(figures[measure], base[measure], peer === ours))]),
    ),
  ];
  const versions = [...medians.keys()].map((peer) =>
    row([
      peer.name,
      peer === ours ? ourVersion() : peer.packages.map((name) => `\`${name}\` ${versionOf(name)}`).join(", "),
    ]),
  );
  const processor = cpus()[0]?.model.trim() ?? "unknown processor";
  return `# Benchmarks beside other chats

The widget beside other chats from npm, measured in one run by \`npm run bench:peers\`, which writes this page. Less is better in
every column. Behind each figure stands its ratio to ours.

${table.join("\n")}

![The same figures as bars](pictures/benchmarks.svg)

Run on ${new Date().toISOString().slice(0, 10)}: medians of ${rounds} ${rounds === 1 ? "round" : "rounds"}, Chromium ${browser}, Node ${process.version}, ${process.platform},
${availableParallelism()} cores (${processor}), ${Math.round(totalmem() / 2 ** 30)} GB.

## What is measured

Each chat is a page of its own as its documents show it, built for production with Vite, in a new browser context without a
cache. One server on the same machine sends the files of all with Brotli (quality 11), and the same answers in the protocol of each,
uncompressed. The chats take turns in each round.

- **Files until one can type**: the compressed bytes of the page, its scripts, styles, fonts and pictures that had arrived at that
  moment, without headers. 1 KB is 1,000 bytes.
- **Time until one can type**: from the navigation until a letter that the page is sent stands in its text field, with the
  processor slowed ${CPU_THROTTLE} times. The network costs no time here; on a real one the bytes come on top.
- **Files of a first answer**: the same bytes when a Russian answer of ${length(FIRST_ANSWER)} characters with lists, code and tables is on the page.
  The answer itself does not count.
- **Streaming**: time of the main thread (Chromium's \`TaskDuration\` in thread ticks, rendering included) while an answer of
  ${length(LONG_ANSWER)} characters streams in, in 4 deltas per 16 ms, after the first answer.
- **Opening**: time of the main thread from the navigation until the last words of a conversation of ${LONG_THREAD} messages are on the
  page, the scripts included.

## What is compared

${row(["chat", "versions"])}
${row([":--", ":--"])}
${versions.join("\n")}

The chats do not all do the same. \`react-markdown\` and \`streamdown\` on \`useChat\` are the AI SDK's first example, a text field
below a list of messages, with an answer rendered by them: no threads, no attachments, no styles beyond a font and a width, and no
Tailwind for \`streamdown\`, which its documents ask for. \`useChat\` shows every delta, its default. assistant-ui is a thread of
its unstyled primitives without buttons. deep-chat asks Google for a font, which does not arrive here and does not count.
The widget is whole: threads, attachments, branches, and its styles. It shows a part of a long conversation at a time, and the
rest when one scrolls to it; the others build all of it.

## What is not measured

${notMeasured.map(([name, reason]) => `- **${name}**: ${reason}`).join("\n")}
`;
}

function cellOf(value: number, base: number, isOurs: boolean): string {
  return isOurs ? number.format(value) : `${number.format(value)} (${(value / base).toFixed(1)} ×)`;
}

function ourVersion(): string {
  const file = join(root, "packages", "widget", "package.json");
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { readonly version: string };
  return `\`@nitka/widget\` ${version}`;
}
