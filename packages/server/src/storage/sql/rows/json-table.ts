import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { SqlDialect } from "../sql-dialect.ts";

/** The columns of rows that are passed to a statement as one JSON parameter: see `SqlDialect["jsonRows"]`. */
export interface JsonTable<Name extends string> {
  readonly columns: readonly RawBuilder<unknown>[];
  readonly column: <T extends string | number>(name: Name) => RawBuilder<T>;
  /** The JSON parameter for these rows. */
  readonly json: (rows: readonly Readonly<Record<Name, string | number | null>>[]) => string;
}

/**
 * @example
 * const asked = jsonTable(dialect, { run_id: "text", seq: "integer" });
 * const json = asked.json([{ run_id: "run1", seq: 3 }]);
 * sql`select ${asked.column("seq")} from ${dialect.jsonRows(json)}`; // 3
 */
export function jsonTable<Name extends string>(
  dialect: SqlDialect,
  types: Readonly<Record<Name, JsonType>>,
): JsonTable<Name> {
  const names = Object.keys(types) as Name[];
  const column = <T extends string | number>(name: Name) => dialect.jsonValue<T>(names.indexOf(name), types[name]);
  return {
    columns: names.map((name) => column(name)),
    column,
    json: (rows) => JSON.stringify(rows.map((row) => names.map((name) => row[name]))),
  };
}

export type JsonType = Parameters<SqlDialect["jsonValue"]>[1];

/** The query for the ids in a parameter that `idsJson` has made. */
export function idsIn(dialect: SqlDialect, json: string, rows = dialect.jsonRows): RawBuilder<string> {
  return sql<string>`(select ${dialect.jsonValue(0, "text")} from ${rows(json)})`;
}

export function idsJson(ids: readonly string[]): string {
  return JSON.stringify(ids.map((id) => [id]));
}
