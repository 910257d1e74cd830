import type { Owner } from "../storage.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";

/** Holds an owner until the transaction's end. An owner is locked before its threads wherever both are. */
export function lockOwner(transaction: Db, dialect: SqlDialect, { projectId, visitorId }: Owner): Promise<void> {
  return dialect.lock(transaction, JSON.stringify(["runs", projectId, visitorId]));
}
