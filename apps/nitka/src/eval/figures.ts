import type { Passage } from "@nitka/server";
import type { Judged } from "./answers.ts";
import { pageOf } from "./questions.ts";
import type { EvalQuestion } from "./questions.ts";

/** The number of passages to search when a question's line has no `rank`. */
export const USUAL_RANK = 5;

/** The figures of a run. Shares are between 0 and 1. */
export interface Figures {
  readonly questions: number;
  /** The share of questions whose page is found first. */
  readonly recallAt1?: number;
  /** The share of questions whose page is among the first `rank` passages. */
  readonly recall?: number;
  readonly meanReciprocalRank?: number;
  /** The share of answers that cite one of the pages. */
  readonly cited?: number;
  /** The share of answers that contain all phrases. */
  readonly phrases?: number;
  /** The share of the unanswerable questions that were not answered. */
  readonly refused?: number;
  /** The share of answers in which every number in brackets has a source. */
  readonly sourced?: number;
  /** The share of answers in which every number in a cited sentence occurs in the cited passage. */
  readonly numbers?: number;
  /** The share of questions that pass all checks. */
  readonly passed?: number;
  readonly tokens?: number;
  /** In the currency of the project's `prices`; absent without prices. */
  readonly cost?: number;
  readonly seconds: number;
}

/** The position of the first passage from one of the pages, counted from 1; `undefined` when none is found. */
export function rankOf({ urls = [] }: EvalQuestion, passages: readonly Passage[]): number | undefined {
  const wanted = new Set(urls.map(pageOf));
  const index = passages.findIndex(({ url }) => wanted.has(pageOf(url)));
  return index < 0 ? undefined : index + 1;
}

export function searchFigures(
  ranks: readonly { readonly rank: number | undefined; readonly within: number }[],
): Pick<Figures, "recallAt1" | "recall" | "meanReciprocalRank"> {
  if (ranks.length === 0) return {};
  const share = (holds: (each: (typeof ranks)[number]) => boolean) => ranks.filter(holds).length / ranks.length;
  return {
    recallAt1: share(({ rank }) => rank === 1),
    recall: share(({ rank, within }) => rank !== undefined && rank <= within),
    meanReciprocalRank: ranks.reduce((sum, { rank }) => sum + (rank === undefined ? 0 : 1 / rank), 0) / ranks.length,
  };
}

export function answerFigures(
  judged: readonly Judged[],
): Pick<Figures, "cited" | "phrases" | "refused" | "sourced" | "numbers" | "passed"> {
  const share = (name: "cited" | "phrases" | "refused" | "sourced" | "numbers") => {
    const asked = judged.flatMap((each) => each[name] ?? []);
    return asked.length === 0 ? {} : { [name]: asked.filter(Boolean).length / asked.length };
  };
  return {
    ...share("cited"),
    ...share("phrases"),
    ...share("refused"),
    ...share("sourced"),
    ...share("numbers"),
    passed: judged.filter(({ passed }) => passed).length / judged.length,
  };
}

const rows: readonly (readonly [keyof Figures, string, "share" | "number"])[] = [
  ["questions", "questions", "number"],
  ["recallAt1", "recall at 1", "share"],
  ["recall", "recall at rank", "share"],
  ["meanReciprocalRank", "mean reciprocal rank", "number"],
  ["cited", "cited the right page", "share"],
  ["phrases", "has the phrases", "share"],
  ["refused", "says that it does not know", "share"],
  ["sourced", "each [n] has a source", "share"],
  ["numbers", "numbers are in the source", "share"],
  ["passed", "passes everything", "share"],
  ["tokens", "tokens", "number"],
  ["cost", "cost", "number"],
  ["seconds", "seconds", "number"],
];

/** The figures as a text table, next to those of the last run if there was one. */
export function figuresTable(now: Figures, before: Figures | undefined): string {
  const shown = rows.filter(([name]) => now[name] !== undefined);
  const lines = [
    ["", "now", ...(before ? ["before"] : [])],
    ...shown.map(([name, label, kind]) =>
      [label, formatted(now[name], kind)].concat(before ? formatted(before[name], kind) : []),
    ),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function formatted(value: number | undefined, kind: "share" | "number"): string {
  if (value === undefined) return "";
  if (kind === "share") return `${(value * 100).toFixed(1)} %`;
  return Number.isInteger(value) ? String(value) : value.toFixed(3);
}
