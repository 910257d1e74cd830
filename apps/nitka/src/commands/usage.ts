import { readSettings } from "../read-settings.ts";
import type { ProgramContext } from "../program-context.ts";
import { jsonText, writeAll } from "../output.ts";
import { requireKnown, ArgumentsError } from "./arguments.ts";
import { withStorageBeside } from "./storage-beside.ts";
import type { UsageKey, UsageQuery, UsageSum } from "@nitka/server";

/** `nitka usage`: prints how many tokens were used, as a table or as JSON. */
export async function usage({ env, stdout, stderr, clock }: ProgramContext, args: UsageArguments): Promise<number> {
  const query = parseUsageArguments(args, clock());
  const settings = readSettings(env);
  return withStorageBeside({ stderr }, settings, async (storage) => {
    if (query.projectId !== undefined) await requireKnown(query.projectId, settings, storage);
    const report = usageReport(query, await storage.usage.report(query), query.top);
    await writeAll(stdout, args.json ? jsonText(report) : usageTable(report));
    return 0;
  });
}

/** The report as a table of text, with the total in the last row. */
function usageTable({ from, to, by, projectId, rows, others, total }: UsageReport): string {
  const period = `${from} to ${to} (UTC)`;
  const where = projectId === undefined ? "" : ` in the project ${projectId}`;
  if (rows.length === 0) return `No tokens were used${where} from ${period}.\n`;
  // A visitor's id is unique only within a project.
  const withProjects = by === "visitor" && projectId === undefined;
  const row = (key: string, project: string, sum: Sum) => [key, ...(withProjects ? [project] : []), ...figuresOf(sum)];
  const names = withProjects ? 2 : 1;
  const lines = [
    [by, ...(withProjects ? ["project"] : []), "calls", "estimated", "input", "cached", "output", "tokens"],
    ...rows.map((sum) => row(sum.key === null ? "(erased)" : printable(sum.key), sum.projectId ?? "", sum)),
    ...(others ? [row(`(${others.rows} more)`, "", others)] : []),
    row("total", "", total),
  ];
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const table = lines.map((line) =>
    line.map((cell, column) =>
      column < names ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    ),
  );
  return `Tokens${where} from ${period}\n\n${table.map((line) => line.join("  ")).join("\n")}\n`;
}

const thousands = new Intl.NumberFormat("en-US");

function figuresOf(sum: Sum): readonly string[] {
  const { calls, estimatedCalls, inputTokens, cachedInputTokens, outputTokens } = sum;
  return [calls, estimatedCalls, inputTokens, cachedInputTokens, outputTokens, tokensOf(sum)].map((count) =>
    thousands.format(count),
  );
}

/**
 * Hosts choose the ids of their visitors. Characters that would control the terminal or break the line are replaced.
 */
function printable(key: string): string {
  return key.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?");
}

/** The options of `nitka usage` on the command line. */
interface UsageArguments {
  readonly project?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly by?: string | undefined;
  readonly top?: string | undefined;
  readonly json?: boolean | undefined;
}

/** The number of days in a report without `--from`, including the last day. */
const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;

/** A site may have millions of visitors. A report prints at most this many unless `--top` asks for more. */
const DEFAULT_VISITORS = 1000;

const keys: readonly UsageKey[] = ["day", "project", "model", "visitor"];

/**
 * @param now the report ends with this UTC day unless `to` is given
 * @throws {ArgumentsError} with a sentence for each invalid option
 */
function parseUsageArguments(args: UsageArguments, now: Date): UsageQuery {
  const { project, to = dayOf(now.getTime()), by = "day", top } = args;
  const from = args.from ?? (isDay(to) ? dayOf(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS) : undefined);
  const key = keys.find((each) => each === by);
  const problems: string[] = [];
  const expect = (option: string, value: string, expected: string) =>
    problems.push(`--${option} is ${JSON.stringify(value)}: expected ${expected}.`);
  for (const [option, day] of Object.entries({ from, to })) {
    if (day !== undefined && !isDay(day)) expect(option, day, "a day (UTC), such as 2026-11-21");
  }
  if (problems.length === 0 && from !== undefined && from > to) expect("from", from, `no day after --to, ${to}`);
  if (key === undefined) expect("by", by, `one of ${keys.join(", ")}`);
  if (top !== undefined && !/^[1-9]\d{0,8}$/.test(top)) expect("top", top, "a whole number from 1");
  if (from === undefined || key === undefined || problems.length > 0) {
    throw new ArgumentsError(problems.join("\n"));
  }
  const most = top === undefined ? (key === "visitor" ? DEFAULT_VISITORS : undefined) : Number(top);
  return { projectId: project, from, to, by: key, top: most };
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && dayOf(time) === text;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The report that `nitka usage --json` prints. */
interface UsageReport {
  readonly from: string;
  readonly to: string;
  readonly by: UsageKey;
  /** Absent when the report covers all projects. */
  readonly projectId?: string;
  readonly rows: readonly UsageSum[];
  /** The sum and the number of the rows beyond `--top`. */
  readonly others?: Sum & { readonly rows: number };
  readonly total: Sum;
}

type Sum = Omit<UsageSum, "key" | "projectId" | "others">;

/**
 * @param sums the rows; some may already be sums of others
 * @param top the number of rows to keep, those with the most tokens; the order stays. Default: all
 */
function usageReport(
  { from, to, by, projectId }: UsageQuery,
  sums: readonly UsageSum[],
  top = sums.length,
): UsageReport {
  const rows = sums.filter((sum) => sum.others === undefined);
  const most = new Set(rows.toSorted((one, other) => tokensOf(other) - tokensOf(one)).slice(0, top));
  const others = sums.filter((sum) => !most.has(sum));
  return {
    from,
    to,
    by,
    ...(projectId !== undefined && { projectId }),
    rows: sums.filter((sum) => most.has(sum)),
    ...(others.length > 0 && { others: { rows: rowsOf(others), ...sumOf(others) } }),
    total: sumOf(sums),
  };
}

/** All tokens of a row, input and output. */
function tokensOf({ inputTokens, outputTokens }: Sum): number {
  return inputTokens + outputTokens;
}

function rowsOf(sums: readonly UsageSum[]): number {
  return sums.reduce((count, { others = 1 }) => count + others, 0);
}

function sumOf(sums: readonly Sum[]): Sum {
  const of = (name: keyof Sum) => sums.reduce((sum, each) => sum + each[name], 0);
  return {
    calls: of("calls"),
    estimatedCalls: of("estimatedCalls"),
    inputTokens: of("inputTokens"),
    cachedInputTokens: of("cachedInputTokens"),
    outputTokens: of("outputTokens"),
  };
}
