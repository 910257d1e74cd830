import type { CompiledQuery } from "kysely";
import type { BeginOptions } from "../../storage.ts";
import type { Asked } from "./begin-statements.ts";
import { lockOwner } from "../rows/lock-owner.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";

/** The locks that a question's limits need, beside that of its thread. The owner is locked before it, the project after it. */
export function locksOf(
  db: Db,
  dialect: SqlDialect,
  { owner }: Asked,
  { limit = null, budget }: BeginOptions,
): { readonly ownerLock: CompiledQuery | undefined; readonly projectLock: CompiledQuery | undefined } {
  const perVisitor = limit !== null || typeof budget?.visitorTokens === "number";
  const perProject = typeof budget?.projectTokens === "number";
  return {
    ownerLock: perVisitor ? lockOwner(dialect, owner)?.compile(db) : undefined,
    // Questions of one project wait for each other here, but no transaction waits for anything else while it has this lock.
    projectLock: perProject ? dialect.lock(JSON.stringify(["tokens", owner.projectId]))?.compile(db) : undefined,
  };
}
