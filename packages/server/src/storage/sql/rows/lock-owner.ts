import type { RawBuilder } from "kysely";
import type { Owner } from "../../storage.ts";
import type { SqlDialect } from "../sql-dialect.ts";

/** Locks an owner until the transaction's end. Every transaction locks an owner before its threads. */
export function lockOwner(dialect: SqlDialect, { projectId, visitorId }: Owner): RawBuilder<unknown> | undefined {
  return dialect.lock(JSON.stringify(["runs", projectId, visitorId]));
}
