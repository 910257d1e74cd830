import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { playRecording } from "./played-recording.contract.ts";
import { playedUpstream } from "./played-upstream.contract.ts";
import { recordedServers } from "./recordings.contract.ts";
import type { Outcome } from "./recordings.contract.ts";

const upstream = playedUpstream();

const languages = [
  {
    page: "docs/models.md",
    folder: "../packages/server/recordings/",
    head: [
      "service",
      "text",
      "tools",
      "several at once",
      "reasoning",
      "tokens",
      "cut off",
      "errors",
      "reads beside text",
    ],
    words: { yes: "yes", no: "no", field: "shown", none: "not sent", counted: "counted", estimated: "estimated" },
    reads: (text: string) => text,
  },
  {
    page: "docs/ru/models.md",
    folder: "../../packages/server/recordings/",
    head: [
      "сервис",
      "текст",
      "инструменты",
      "по нескольку",
      "рассуждения",
      "токены",
      "обрыв",
      "ошибки",
      "кроме текста",
    ],
    words: { yes: "да", no: "нет", field: "видны", none: "не шлёт", counted: "считает", estimated: "оценка" },
    reads: (text: string) =>
      text
        .replace("pictures", "картинки")
        .replace("sound", "звук")
        .replace("by the model", "по модели")
        .replace("text alone", "только текст"),
  },
] as const;

type Words = (typeof languages)[number]["words"];

// With NITKA_WRITE_DOCS=1 the test writes the tables instead of comparing them; `npm run format` then aligns them.
it.each(languages)(
  "The table in $page shows the results of the recordings",
  async ({ page, folder, head, words, reads }) => {
    const rows: string[][] = [[...head], head.map(() => "-")];
    for (const server of recordedServers()) {
      const outcomes = new Map<string, Outcome>();
      for (const each of server.recordings) outcomes.set(each.name, await playRecording(upstream, server, each));
      const name = `[${server.name}](${folder}${server.file})`;
      rows.push([name, ...verdicts(outcomes, words), reads(server.reads)]);
    }
    const file = new URL(`../../../../../${page}`, import.meta.url);
    const text = readFileSync(file, "utf8");
    const [before = "", table = "", after = ""] = text.split(/<!-- (?:table|end of the table) -->\n/);
    const made = `\n${rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n\n`;
    if (process.env["NITKA_WRITE_DOCS"] === "1") {
      writeFileSync(file, `${before}<!-- table -->\n${made}<!-- end of the table -->\n${after}`);
    }
    expect(plain(process.env["NITKA_WRITE_DOCS"] === "1" ? made : table)).toBe(plain(made));
  },
);

function verdicts(outcomes: ReadonlyMap<string, Outcome>, words: Words): readonly string[] {
  const of = (name: string) => outcomes.get(name);
  const isText = of("answer")?.text !== undefined && of("answer")?.end === "complete";
  const callsOf = (name: string) => of(name)?.calls?.length;
  const errors = [of("error before")?.end, of("error within")?.end];
  return [
    isText ? words.yes : words.no,
    callsOf("tool call") === 1 ? words.yes : words.no,
    callsOf("two tool calls") === 2 ? words.yes : words.no,
    of("reasoning")?.reasoning === undefined ? words.none : words.field,
    of("answer")?.usage ? words.counted : words.estimated,
    of("cut off")?.end === "length" ? words.yes : words.no,
    errors.every((end) => end !== undefined && end !== "complete") ? words.yes : words.no,
  ];
}

/** A table without the spaces and dashes that align it. */
function plain(table: string): string {
  return table.replaceAll(/-+/g, "-").replaceAll(/ +/g, " ").trim();
}
