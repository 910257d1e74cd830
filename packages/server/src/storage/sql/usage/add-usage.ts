import { sql } from "kysely";
import type { CompiledQuery, RawBuilder } from "kysely";
import type { Owner } from "../../storage.ts";
import type { UsedTokens } from "../../usage.ts";
import { compileAllOnce } from "../compile-once.ts";
import { jsonTable } from "../rows/json-table.ts";
import type { ProjectUsageTable, VisitorUsageTable } from "../schema.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { utcDay } from "../utc-time.ts";
import { countColumns, countTypes, countsOf, namesOf } from "./usage-counts.ts";
import type { Counts } from "./usage-counts.ts";

/**
 * The number of rows for the tokens of one project and day. More rows make summing slower; fewer rows make more answers
 * wait for each other.
 */
const SHARDS = 16;

export interface UsageEntry {
  readonly owner: Owner;
  /** Whether the visitor still exists. If not, the tokens count only for the project. */
  readonly visitorKnown: boolean;
  readonly used: readonly UsedTokens[];
  readonly at: string;
}

/**
 * Makes the statements that add tokens to the sums of their days; none when there are no tokens. Rows are always locked
 * in the same order, which avoids deadlocks.
 */
export function usageStatements(
  db: Db,
  dialect: SqlDialect,
): (entries: readonly UsageEntry[]) => readonly CompiledQuery[] {
  const add = addRows(db, dialect);
  return (entries) => {
    const rows = entries.flatMap(({ owner, visitorKnown, used, at }) =>
      used.map((one) => ({ owner, visitorKnown, row: { project_id: owner.projectId, ...usageRow(one, at) } })),
    );
    if (rows.length === 0) return [];
    return add({
      visitors: rows.flatMap(({ owner, visitorKnown, row }) =>
        visitorKnown ? [{ ...row, visitor_id: owner.visitorId }] : [],
      ),
      projects: rows.map(({ owner, row }) => Object.assign(row, { shard: shardOf(owner.visitorId) })),
    });
  };
}

/** The columns of a usage row, except for the project and the visitor. */
export function usageRow(used: UsedTokens, at: string) {
  return {
    day: utcDay(at),
    model_id: used.modelId,
    purpose: used.purpose,
    ...countsOf((name) => used[countColumns[name]]),
  };
}

/**
 * Transfers one visitor's tokens to another. The caller has locked the threads, so that no tokens are added meanwhile.
 */
export async function moveUsage(
  transaction: Db,
  dialect: SqlDialect,
  { projectId, visitorId: from }: Owner,
  to: string,
): Promise<void> {
  const moved = await transaction
    .deleteFrom("visitor_usage")
    .where("project_id", "=", projectId)
    .where("visitor_id", "=", from)
    .returningAll()
    .execute();
  const visitors = moved.map((row) => Object.assign(row, { visitor_id: to, ...countsOf((name) => Number(row[name])) }));
  const add = addRows(transaction, dialect);
  for (const statement of add({ visitors, projects: [] })) await transaction.executeQuery(statement);
}

interface UsageRows {
  readonly visitors: readonly (VisitorUsageTable & Counts)[];
  readonly projects: readonly (ProjectUsageTable & Counts)[];
}

/** Adds rows to the sums of their keys. */
function addRows(db: Db, dialect: SqlDialect): (rows: UsageRows) => readonly CompiledQuery[] {
  const visitors = jsonTable(dialect, { ...visitorKey, ...countTypes });
  const projects = jsonTable(dialect, { ...projectKey, ...countTypes });
  const statements = compileAllOnce((lists: Readonly<Record<keyof UsageRows, string>>) => {
    const [ofVisitors, ofProjects] = [dialect.jsonRows(lists.visitors), dialect.jsonRows(lists.projects)];
    const adding = [
      addSums(dialect, "visitor_usage", sql`select ${sql.join(visitors.columns)} from ${ofVisitors} where true`),
      addSums(dialect, "project_usage", sql`select ${sql.join(projects.columns)} from ${ofProjects} where true`),
    ];
    return dialect.asOne(adding).map((each) => each.compile(db));
  });
  return (rows) =>
    statements({
      visitors: visitors.json(merged(rows.visitors, namesOf(visitorKey))),
      projects: projects.json(merged(rows.projects, namesOf(projectKey))),
    });
}

/**
 * The statement that adds rows to the sums of their keys.
 *
 * @param rows a query for the columns of the key and of the counts: one row for each key, in the order of `compareKeys`
 */
export function addSums(
  dialect: SqlDialect,
  table: "visitor_usage" | "project_usage",
  rows: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const [key, counts] = [Object.keys(usageKeys[table]), namesOf(countColumns)];
  const columns = [...key, ...counts].map((name) => sql.id(name));
  const sums = counts.map((name) => sql`${sql.id(name)} = kept.${sql.id(name)} + excluded.${sql.id(name)}`);
  return sql`
    insert into ${dialect.table(table)} as kept (${sql.join(columns)})
    ${rows}
    on conflict (${sql.join(key.map((name) => sql.id(name)))}) do update set ${sql.join(sums)}`;
}

const visitorKey = { project_id: "text", visitor_id: "text", day: "text", model_id: "text", purpose: "text" } as const;
const projectKey = { project_id: "text", day: "text", model_id: "text", purpose: "text", shard: "integer" } as const;

/** The columns of each table's key, with their types. */
export const usageKeys = { visitor_usage: visitorKey, project_usage: projectKey } as const;

/** Merges the rows to one per key, in the order of the keys: a statement may not update a row twice. */
function merged<Row extends Counts>(rows: readonly Row[], columns: readonly (keyof Row)[]): readonly Row[] {
  const sums = new Map<string, Row>();
  for (const row of rows) {
    const key = JSON.stringify(columns.map((column) => row[column]));
    const sum = sums.get(key);
    sums.set(key, sum ? { ...row, ...countsOf((name) => sum[name] + row[name]) } : row);
  }
  return [...sums.values()].toSorted((one, other) => compareKeys(one, other, columns));
}

/** Compares keys as the databases do (text in byte order), so that each statement locks rows in the same order. */
function compareKeys<Row>(one: Row, other: Row, columns: readonly (keyof Row)[]): number {
  for (const column of columns) {
    const [left, right] = [one[column], other[column]];
    if (left === right) continue;
    if (typeof left === "number" && typeof right === "number") return left - right;
    return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
  }
  return 0;
}

/** The shard of a visitor or a run: a hash of its id. */
export function shardOf(id: string): number {
  let hash = 0;
  for (let index = 0; index < id.length; index += 1) hash = (hash * 31 + id.charCodeAt(index)) % 65_521;
  return hash % SHARDS;
}
