import type { Db, LateIndex, SqlDialect } from "../sql-dialect.ts";

/**
 * A step of the schema. A released one is never changed; a later one corrects it.
 *
 * The program of the version before goes on while a step runs and after it, until its instances are replaced, so a step adds
 * tables, columns and indexes and takes nothing away that the version before uses.
 */
export interface Migration {
  /** For people. */
  readonly name: string;
  /** Runs in one transaction with all other due steps. It must be quick on tables of any size: visitors wait meanwhile. */
  readonly up: (transaction: Db, dialect: SqlDialect) => Promise<void>;
  /** Indexes of tables that may be large. They are made after the transaction, while instances write. */
  readonly indexes?: readonly LateIndex[];
  /** The program of the version before cannot work with this schema: its instances have to be stopped first. */
  readonly breaks?: true;
}

/** Statements of a step, in their order. */
export type Statements = (dialect: SqlDialect) => readonly { readonly execute: (db: Db) => Promise<unknown> }[];
