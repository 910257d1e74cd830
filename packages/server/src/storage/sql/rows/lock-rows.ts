/** Locks until the transaction's end. Where transactions do not run at the same time, none is needed. */
import type { RawBuilder, SelectQueryBuilder } from "kysely";
import type { Owner } from "../../storage.ts";
import type { Schema } from "../schema.ts";
import type { SqlDialect } from "../sql-dialect.ts";

/** Locks an owner. Every transaction locks an owner before its threads. */
export function lockOwner(dialect: SqlDialect, { projectId, visitorId }: Owner): RawBuilder<unknown> | undefined {
  return dialect.lock(JSON.stringify(["runs", projectId, visitorId]));
}

/** Locks the rows that a query finds. It waits for those that another transaction has locked. */
export function lockRows<Table extends keyof Schema, Row>(
  { concurrent }: SqlDialect,
  query: SelectQueryBuilder<Schema, Table, Row>,
): SelectQueryBuilder<Schema, Table, Row> {
  return concurrent ? query.forUpdate() : query;
}

/** The same without waiting: those that another transaction has locked are left out. */
export function lockFreeRows<Table extends keyof Schema, Row>(
  { concurrent }: SqlDialect,
  query: SelectQueryBuilder<Schema, Table, Row>,
): SelectQueryBuilder<Schema, Table, Row> {
  return concurrent ? query.forUpdate().skipLocked() : query;
}
