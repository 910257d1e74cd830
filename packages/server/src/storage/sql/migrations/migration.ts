import type { Db, SqlDialect } from "../sql-dialect.ts";

/** A step of the schema. Steps are never changed once released; a later one corrects them. */
export interface Migration {
  /** What it brings, for people. */
  readonly name: string;
  readonly up: (transaction: Db, dialect: SqlDialect) => Promise<void>;
}
