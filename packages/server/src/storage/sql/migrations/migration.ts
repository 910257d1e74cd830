import type { Db, LateIndex, SqlDialect } from "../sql-dialect.ts";

/**
 * A step of the schema. A released step is never changed; a later step corrects it.
 *
 * The previous version of the program keeps running during and after a step, until its instances are replaced. So a
 * step adds tables, columns and indexes, and removes nothing that the previous version uses.
 */
export interface Migration {
  /** A name for people to read. */
  readonly name: string;
  /**
   * Runs in one transaction with all other due steps. It must be quick on tables of any size, because visitors wait
   * meanwhile.
   */
  readonly up: (transaction: Db, dialect: SqlDialect) => Promise<void>;
  /** Indexes on tables that may be large. They are made after the transaction, while instances write. */
  readonly indexes?: readonly LateIndex[];
  /**
   * Set when the previous version of the program cannot work with this schema: its instances have to be stopped first.
   */
  readonly breaks?: true;
}

/** Statements of a step, in their order. */
export type Statements = (dialect: SqlDialect) => readonly { readonly execute: (db: Db) => Promise<unknown> }[];
