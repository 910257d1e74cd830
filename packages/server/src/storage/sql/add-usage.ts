import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { Owner } from "../storage.ts";
import type { UsedTokens } from "../usage.ts";
import type { VisitorUsageTable } from "./schema.ts";
import type { Db } from "./sql-dialect.ts";
import { utcDay } from "./utc-time.ts";

/** Rows that share a project's tokens of a day: more would make the sum dearer, fewer let more answers wait. */
const SHARDS = 16;

export interface UsageEntry {
  readonly owner: Owner;
  /** Whether the visitor is still kept: else the tokens are the project's alone. */
  readonly visitorKnown: boolean;
  readonly used: readonly UsedTokens[];
  readonly at: string;
}

/**
 * Statements that add tokens to the sums of their days. Rows are locked in one order everywhere, so that no two wait for
 * each other.
 */
export function addUsage(db: Db, entries: readonly UsageEntry[]): readonly CompiledQuery[] {
  const rows = entries.flatMap(({ owner, visitorKnown, used, at }) =>
    used.map((one) => {
      const row = {
        project_id: owner.projectId,
        day: utcDay(at),
        model_id: one.modelId,
        purpose: one.purpose,
        calls: one.calls,
        estimated_calls: one.estimatedCalls,
        input_tokens: one.inputTokens,
        cached_tokens: one.cachedInputTokens,
        output_tokens: one.outputTokens,
      };
      return { owner, visitorKnown, row };
    }),
  );
  const ofVisitors = rows.flatMap(({ owner, visitorKnown, row }) =>
    visitorKnown ? [{ ...row, visitor_id: owner.visitorId }] : [],
  );
  const ofProjects = merged(
    rows.map(({ owner, row }) => Object.assign(row, { shard: shardOf(owner.visitorId) })),
    projectKey,
  );
  if (ofProjects.length === 0) return [];
  const add = db
    .insertInto("project_usage")
    .values(ofProjects)
    .onConflict((conflict) => conflict.columns(projectKey).doUpdateSet(sumsWith("project_usage")));
  return [...addOfVisitors(db, ofVisitors), add.compile()];
}

/** Makes one visitor's tokens another's. Nothing may be added for the first one meanwhile: its threads are held. */
export async function moveUsage(transaction: Db, { projectId, visitorId: from }: Owner, to: string): Promise<void> {
  const moved = await transaction
    .deleteFrom("visitor_usage")
    .where("project_id", "=", projectId)
    .where("visitor_id", "=", from)
    .returningAll()
    .execute();
  const rows = moved.map((row) =>
    Object.assign(row, {
      visitor_id: to,
      calls: Number(row.calls),
      estimated_calls: Number(row.estimated_calls),
      input_tokens: Number(row.input_tokens),
      cached_tokens: Number(row.cached_tokens),
      output_tokens: Number(row.output_tokens),
    }),
  );
  for (const statement of addOfVisitors(transaction, rows)) await transaction.executeQuery(statement);
}

function addOfVisitors(db: Db, rows: readonly (VisitorUsageTable & Counts)[]): readonly CompiledQuery[] {
  if (rows.length === 0) return [];
  const add = db
    .insertInto("visitor_usage")
    .values(merged(rows, visitorKey))
    .onConflict((conflict) => conflict.columns(visitorKey).doUpdateSet(sumsWith("visitor_usage")));
  return [add.compile()];
}

type Counts = Readonly<
  Record<"calls" | "estimated_calls" | "input_tokens" | "cached_tokens" | "output_tokens", number>
>;

const visitorKey = ["project_id", "visitor_id", "day", "model_id", "purpose"] as const;
const projectKey = ["project_id", "day", "model_id", "purpose", "shard"] as const;

/** Each key once, since a statement may not touch a row twice, and in the order of the keys. */
function merged<Row extends Counts>(rows: readonly Row[], columns: readonly (keyof Row)[]): readonly Row[] {
  const sums = new Map<string, Row>();
  for (const row of rows) {
    const key = JSON.stringify(columns.map((column) => row[column]));
    const sum = sums.get(key);
    sums.set(key, sum ? { ...row, ...plus(sum, row) } : row);
  }
  return [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

function plus(one: Counts, other: Counts): Counts {
  return {
    calls: one.calls + other.calls,
    estimated_calls: one.estimated_calls + other.estimated_calls,
    input_tokens: one.input_tokens + other.input_tokens,
    cached_tokens: one.cached_tokens + other.cached_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
  };
}

function sumsWith(table: "project_usage" | "visitor_usage") {
  const sum = (column: keyof Counts) =>
    sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`;
  return {
    calls: sum("calls"),
    estimated_calls: sum("estimated_calls"),
    input_tokens: sum("input_tokens"),
    cached_tokens: sum("cached_tokens"),
    output_tokens: sum("output_tokens"),
  };
}

/** Visitors are spread over the shards; answers of one visitor end in the same one. */
function shardOf(visitorId: string): number {
  let hash = 0;
  for (let index = 0; index < visitorId.length; index += 1) hash = (hash * 31 + visitorId.charCodeAt(index)) % 65_521;
  return hash % SHARDS;
}
