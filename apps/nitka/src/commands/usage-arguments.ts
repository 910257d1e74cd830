import type { UsageKey, UsageQuery } from "@nitka/server";

/** The options of `nitka usage` as the command line has them. */
export interface UsageArguments {
  readonly project?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly by?: string | undefined;
  readonly top?: string | undefined;
  readonly json?: boolean | undefined;
}

/** The query, or a sentence for each invalid option. */
type ParsedUsageArguments = { readonly query: UsageQuery } | { readonly problems: readonly string[] };

/** The days of a report without `--from`, the last day included. */
const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;

/** A site may have millions of visitors: more than this are printed for who asks for more. */
const DEFAULT_VISITORS = 1000;

const keys: readonly UsageKey[] = ["day", "project", "model", "visitor"];

/** @param now the report ends with this UTC day unless `to` names another */
export function parseUsageArguments(args: UsageArguments, now: Date): ParsedUsageArguments {
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
  if (from === undefined || key === undefined || problems.length > 0) return { problems };
  const most = top === undefined ? (key === "visitor" ? DEFAULT_VISITORS : undefined) : Number(top);
  return { query: { projectId: project, from, to, by: key, top: most } };
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && dayOf(time) === text;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
