/** Locks until the end of the transaction. A database whose transactions never run concurrently needs none. */
import type { RawBuilder, SelectQueryBuilder } from "kysely";
import type { Owner } from "../../storage.ts";
import type { Schema } from "../schema.ts";
import type { SqlDialect } from "../sql-dialect.ts";

/** Locks an owner. Every transaction locks an owner before the owner's threads. */
export function lockOwner(dialect: SqlDialect, { projectId, visitorId }: Owner): RawBuilder<unknown> | undefined {
  return dialect.lock(JSON.stringify(["runs", projectId, visitorId]));
}

/** Locks the rows that a query finds. Waits for rows that another transaction has locked. */
export function lockRows<Table extends keyof Schema, Row>(
  { concurrent }: SqlDialect,
  query: SelectQueryBuilder<Schema, Table, Row>,
): SelectQueryBuilder<Schema, Table, Row> {
  return concurrent ? query.forUpdate() : query;
}

/** The same without waiting: rows that another transaction has locked are left out. */
export function lockFreeRows<Table extends keyof Schema, Row>(
  { concurrent }: SqlDialect,
  query: SelectQueryBuilder<Schema, Table, Row>,
): SelectQueryBuilder<Schema, Table, Row> {
  return concurrent ? query.forUpdate().skipLocked() : query;
}
