import type { Db, SqlDialect } from "../sql-dialect.ts";

/** A step of the schema. A released one is never changed; a later one corrects it. */
export interface Migration {
  /** For people. */
  readonly name: string;
  readonly up: (transaction: Db, dialect: SqlDialect) => Promise<void>;
}
