import { sql } from "kysely";
import type { UsedTokens } from "../../usage.ts";

/** The columns of counts, each with the name that the code outside of the storage uses. */
export const countColumns = {
  calls: "calls",
  estimated_calls: "estimatedCalls",
  input_tokens: "inputTokens",
  cached_tokens: "cachedInputTokens",
  output_tokens: "outputTokens",
} as const satisfies Readonly<Record<string, keyof UsedTokens>>;

type CountColumn = keyof typeof countColumns;

export type Counts = Readonly<Record<CountColumn, number>>;
export type CountsOutside = Pick<UsedTokens, (typeof countColumns)[CountColumn]>;

export function namesOf<Name extends string>(columns: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(columns) as Name[];
}

export function countsOf(countIn: (column: CountColumn) => number): Counts {
  return Object.fromEntries(namesOf(countColumns).map((name) => [name, countIn(name)])) as Counts;
}

/** The counts under these names. */
export function countsOutside(countIn: (column: CountColumn) => number): CountsOutside {
  return Object.fromEntries(namesOf(countColumns).map((name) => [countColumns[name], countIn(name)])) as CountsOutside;
}

/** The SQL types of the columns. */
export const countTypes = Object.fromEntries(namesOf(countColumns).map((name) => [name, "bigint"])) as Readonly<
  Record<CountColumn, "bigint">
>;

/** The sums of the columns, for a SELECT. Postgres returns large numbers as text. */
export const countSums = namesOf(countColumns).map((name) => sql<number | string>`sum(${sql.id(name)})`.as(name));
