import type { RawBuilder } from "kysely";
import type { Owner } from "../storage.ts";
import type { SqlDialect } from "./sql-dialect.ts";

/** Holds an owner until the transaction's end. An owner is locked before its threads wherever both are. */
export function lockOwner(dialect: SqlDialect, { projectId, visitorId }: Owner): RawBuilder<unknown> | undefined {
  return dialect.lock(JSON.stringify(["runs", projectId, visitorId]));
}
