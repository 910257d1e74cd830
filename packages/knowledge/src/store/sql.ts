/** A database for statements that SQLite and Postgres both understand, with parameters `$1`, `$2`, … */
export interface Sql {
  all<T extends object>(text: string, ...values: readonly SqlValue[]): Promise<readonly T[]>;
}

/** A list is compared with `dialect.isIn`, or read by `dialect.rows` when it is one of rows. */
export type SqlValue = string | number | null | Uint8Array | readonly string[] | readonly number[];

export interface SqlDatabase extends Sql {
  readonly dialect: SqlDialect;
  /** Runs work as one transaction. Transactions of one process come one after the other. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Prepares for fast searches after much has been written. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Where the two differ. */
export interface SqlDialect {
  /** A table by its name. */
  readonly table: (name: string) => string;
  /** A statement that gives a row if there is a table or an index of that name. */
  readonly find: (name: string) => string;
  /** Statements before the first table is made. */
  readonly beforeTables: readonly string[];
  readonly keyType: string;
  readonly idType: string;
  readonly bytesType: string;
  readonly numberType: string;
  /** The end of a table's definition whose rows are kept in the order of its key. */
  readonly clustered: string;
  /** What an index is to have beside its key, so that the table is not looked at. */
  readonly covers: (column: string) => string;
  /** An aggregate of a column's values: the text of a JSON list. */
  readonly jsonList: (column: string) => string;
  /** Whether a value is in the list of a parameter. */
  readonly isIn: (parameter: string) => string;
  /** A subquery of the rows of a JSON list of lists, with the columns and their types. */
  readonly rows: (
    parameter: string,
    columns: readonly (readonly [name: string, type: "text" | "bigint" | "double precision"])[],
  ) => string;
}

/** Text that both databases store: Postgres refuses NUL and halves of surrogate pairs. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}
