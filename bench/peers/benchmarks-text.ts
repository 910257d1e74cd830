/** The text of docs/benchmarks.md. */
import { readFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/workspace.mjs";
import type { StreamFigures } from "../server/measure-streams.ts";
import { versionOf } from "./build-peers.ts";
import { CPU_THROTTLE, FIRST_ANSWER, LIMIT_S, LONG_ANSWER } from "./measure-peer.ts";
import { STREAMS } from "./measure-servers.ts";
import type { ServerFigures } from "./measure-servers.ts";
import { LONG_THREAD } from "./peer-apis.ts";
import { ONCE_MS } from "./peer-results.ts";
import type { Measure, PeerResults } from "./peer-results.ts";
import { aiSdkRoute, notMeasured, ours } from "./peers.ts";
import type { Peer } from "./peers.ts";

export type Results = ReadonlyMap<Peer, PeerResults>;

export interface Run {
  readonly results: Results;
  /** The peers without a page, each with the reason. */
  readonly failed: ReadonlyMap<Peer, string>;
  /** Absent if the servers could not be measured. */
  readonly servers: ServerFigures | undefined;
  readonly rounds: number;
  readonly serverRounds: number;
  /** The browser's version. */
  readonly browser: string;
}

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
// A measured latency may be slightly negative, because the clocks of two processes differ. «-0» would be shown.
const tenth = new Intl.NumberFormat("en", { maximumFractionDigits: 1, signDisplay: "negative" });
const ratio = new Intl.NumberFormat("en", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: "negative",
});
const length = (characters: number) => whole.format(characters);
const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

/** The figures of a chat, in the order of the columns. */
export const measures: readonly (readonly [measure: Measure, title: string, unit: string])[] = [
  ["typeKb", "Files until one can type", "KB"],
  ["typeMs", "Time until one can type", "ms"],
  ["answerKb", "Files of a first answer", "KB"],
  ["answerMs", `Answer of ${length(FIRST_ANSWER)} characters`, "ms"],
  ["streamMs", `Answer of ${length(LONG_ANSWER)} characters`, "ms"],
  ["threadMs", `Opening ${LONG_THREAD} messages`, "ms"],
];

const serverMeasures: readonly (readonly [measure: keyof StreamFigures, title: string, format: Intl.NumberFormat])[] = [
  ["cpuUs", "Processor time an event, µs", whole],
  ["p50", "Latency p50, ms", tenth],
  ["p99", "Latency p99, ms", tenth],
  ["rssKb", "Memory a stream, KB", whole],
];

export function pageOf({ results, failed, servers, rounds, serverRounds, browser }: Run): string {
  const processor = cpus()[0]?.model.trim() ?? "unknown processor";
  return `# Benchmarks beside other chats

The widget beside other chats from npm, and the server beside a route on the AI SDK, measured in one run by
\`npm run bench:peers\`, which writes this page. Less is better in every column.

## The widget

${widgetTable(results)}

Behind each figure stands its ratio to ours.

![The same figures as bars](pictures/benchmarks.svg)

Run on ${new Date().toISOString().slice(0, 10)}: medians of ${rounds} ${rounds === 1 ? "round" : "rounds"}, Chromium ${browser}, Node ${process.version}, ${process.platform},
${availableParallelism()} cores (${processor}), ${Math.round(totalmem() / 2 ** 30)} GB.

### What is measured

Each chat is a page of its own as its documents show it, built for production with Vite, in a new browser context without a
cache. One server on the same machine sends the files of all with Brotli (quality 11), and the same answers in the protocol of each,
uncompressed. The chats take turns in each round.

- **Files until one can type**: the compressed bytes of the page, its scripts, styles, fonts and pictures that had arrived at that
  moment, without headers. 1 KB is 1,000 bytes.
- **Time until one can type**: from the navigation until a letter that the page is sent stands in its text field, with the
  processor slowed ${CPU_THROTTLE} times. The network costs no time here; on a real one the bytes come on top.
- **Files of a first answer**: the same bytes when a Russian answer of ${length(FIRST_ANSWER)} characters with lists, code and tables is on the page.
  The answer itself does not count.
- **Answers**: time of the main thread (Chromium's \`TaskDuration\` in thread ticks, rendering included) from the question until the
  whole answer is on the page. It streams in 4 deltas per 16 ms. The answer of ${length(FIRST_ANSWER)} characters is the first of its page, so
  what a chat loads for an answer counts; the one of ${length(LONG_ANSWER)} follows it.
- **Opening**: time of the main thread from the navigation until the last words of a conversation of ${LONG_THREAD} messages are on the
  page, the scripts included.

A page itself reports that a letter stands in its field, or that the last words are there. Code that a tool runs in a page to
find that out is compiled on the page's main thread, and would count.

What a page has not shown after ${LIMIT_S} s is given up, and not tried in further rounds. A figure of ${length(ONCE_MS)} ms and more is of one
round.

### What is compared

${versionsTable(results)}

The chats do not all do the same:

- **Nitka** is the whole widget: threads, attachments, branches, a copy button for code, its styles, and the highlighting of code,
  which loads with the first code. It shows the newest part of a long conversation, and the rest when one scrolls to it.
- **deep-chat** has a history and styles. It highlights no code unless the page brings highlight.js, and shows task lists as
  text. It asks Google for a font, which does not arrive here and does not count.
- **react-markdown and streamdown on useChat** are the AI SDK's first example: a text field below a list of messages, with an answer
  rendered by them. They have no threads, attachments or styles beyond a font and a width, highlight no code (streamdown does
  with a plugin), and lack the Tailwind that streamdown's documents ask for. \`useChat\` shows every delta, its default.
- **assistant-ui** is a thread of its unstyled primitives without buttons or highlighting. The newest version whose dependencies
  the registry has is measured.
- **CopilotKit** is \`CopilotChat\` of its current interface (\`react-core/v2\`) with its styles. The scripted server answers as its runtime
  does, with events of AG-UI. It highlights code.
- **@n8n/chat** fills the page (\`fullscreen\`) instead of opening from a button. Its answers stream only when a page asks for it
  (\`enableStreaming\`), as here; by default a visitor sees the answer when it is whole. It draws the whole answer anew with every delta.

CopilotKit, too, builds only the part of a long conversation that is in view. The others build every message.

## The server

${servers ? serverTable(servers) : "The servers could not be measured in this run."}

${STREAMS} open streams of 20 events a second each, for six seconds, read by one process; the least of ${serverRounds} ${serverRounds === 1 ? "round" : "rounds"}, in which the
servers take turns. Processor time is the server process's own, for each event that was read. Latency is from the time at which the
model's delta was due until the client has it. Memory is what the process holds more than before the streams, for each of them.

- **Raw writer**: \`node:http\` that writes the events at their times by itself. It has no upstream and is the floor.
- **AI SDK route**: the route of the AI SDK's documents on \`node:http\`
  (${aiSdkRoute.packages.map((name) => `\`${name}\` ${versionOf(name, aiSdkRoute.folder)}`).join(", ")}): \`streamText\` to
  \`pipeUIMessageStreamToResponse\`. It stores nothing: an answer ends with its connection.
- **Nitka**: the server on SQLite with the same AI SDK provider. It stores the question and the events, and an answer goes on without
  its reader; it knows visitors and limits them.

The route and Nitka read their answers from an OpenAI-compatible server in a process of its own. \`npm run bench:server\` measures more of
the server, on Postgres as well, against goals.

## What is not measured

${[...failed].map(([peer, reason]) => `- **${peer.name}**: ${reason}\n`).join("")}${notMeasured.map(([name, reason]) => `- **${name}**: ${reason}`).join("\n")}
`;
}

function widgetTable(results: Results): string {
  const base = results.get(ours);
  const rows = [...results].map(([peer, each]) =>
    row([
      peer.name,
      ...measures.map(([measure]) => {
        const cell = each.cell(measure);
        return peer === ours ? shown(cell, whole) : shown(cell, whole, base?.cell(measure));
      }),
    ]),
  );
  const titles = row(["", ...measures.map(([, title, unit]) => `${title}, ${unit}`)]);
  return [titles, row([":--", ...measures.map(() => "--:")]), ...rows].join("\n");
}

function versionsTable(results: Results): string {
  const rows = [...results.keys()].map((peer) =>
    row([
      peer.name,
      peer === ours
        ? ourVersion()
        : peer.packages.map((name) => `\`${name}\` ${versionOf(name, peer.folder)}`).join(", "),
    ]),
  );
  return [row(["chat", "versions"]), row([":--", ":--"]), ...rows].join("\n");
}

function serverTable({ raw, aiSdkRoute: route, ours: nitka }: ServerFigures): string {
  const rows = [
    ["Nitka", nitka],
    ["AI SDK route", route],
    ["Raw writer", raw],
  ] as const;
  return [
    row(["", ...serverMeasures.map(([, title]) => title)]),
    row([":--", ...serverMeasures.map(() => "--:")]),
    ...rows.map(([name, figures]) =>
      row([
        name,
        ...serverMeasures.map(([measure, , format]) =>
          shown(figures[measure], format, name === "Nitka" ? undefined : nitka[measure]),
        ),
      ]),
    ),
  ].join("\n");
}

/** A cell, with its ratio to another if both are numbers. */
function shown(cell: number | string, format: Intl.NumberFormat, base?: number | string): string {
  if (typeof cell === "string") return cell;
  return typeof base === "number" ? `${format.format(cell)} (${ratio.format(cell / base)} ×)` : format.format(cell);
}

function ourVersion(): string {
  const file = join(root, "packages", "widget", "package.json");
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { readonly version: string };
  return `\`@nitka/widget\` ${version}`;
}
