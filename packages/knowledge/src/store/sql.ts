/** A statement for both databases, or a part of one: its text in pieces, and the values that belong between the pieces. */
export interface Statement {
  readonly texts: readonly string[];
  readonly values: readonly SqlValue[];
}

/** What a statement may be given. Lists are for `dialect.isIn`; lists of rows go through `dialect.rows`. */
export type SqlValue = string | number | null | Uint8Array | readonly string[] | readonly number[];

/** What a `${…}` of a statement may hold: a value, or another part of the statement. `undefined` is stored as null. */
type Inserted = SqlValue | Statement | undefined;

export type Sql = <T extends object>(
  strings: TemplateStringsArray,
  ...inserted: readonly Inserted[]
) => Promise<readonly T[]>;

export interface SqlDatabase {
  readonly dialect: SqlDialect;
  readonly sql: Sql;
  /** Runs work as one transaction. Transactions of one process come one after the other. */
  readonly transaction: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;
  /** Makes searches fast again after many pages were written. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** What is written differently for SQLite and for Postgres. */
export interface SqlDialect {
  /** A table by its name. */
  readonly table: (name: string) => Statement;
  /** A query that returns a row if a table or an index of that name exists. */
  readonly find: (name: string) => Statement;
  /** Statements to run before the tables are created. */
  readonly beforeTables: readonly Statement[];
  readonly keyType: Statement;
  readonly idType: Statement;
  readonly bytesType: Statement;
  /** Stands at the end of a table's definition. Keeps the table's rows in the order of its key. */
  readonly clustered: Statement;
  /** Adds a column to an index, so that a query can read it there instead of in the table. */
  readonly covers: (column: string) => Statement;
  /** The condition that the value before it is in the list, or among the few results of a query. */
  readonly isIn: (list: readonly string[] | readonly number[] | Statement) => Statement;
  /** The right side of a cross join. The database looks it up by an index, once for each row of the left side. */
  readonly rowByRow: (found: Statement) => Statement;
  /** A subquery named `listed` that turns a list of objects into rows with these columns. */
  readonly rows: <Name extends string>(list: readonly Listed<NoInfer<Name>>[], columns: ColumnTypes<Name>) => Statement;
}

type Listed<Name extends string> = { readonly [Each in Name]?: string | number | undefined };
type ColumnTypes<Name extends string> = Readonly<Record<Name, "text" | "bigint" | "double precision">>;

/** The list as JSON. Each row becomes an array with the values of its columns. */
export function listJson<Name extends string>(list: readonly Listed<Name>[], columns: ColumnTypes<Name>): string {
  const names = Object.keys(columns) as Name[];
  return JSON.stringify(list.map((row) => names.map((name) => row[name])));
}

/** Builds a part of a statement from a template. */
export function part(strings: TemplateStringsArray, ...inserted: readonly Inserted[]): Statement {
  const texts = [strings[0] ?? ""];
  const values: SqlValue[] = [];
  for (const [at, each = null] of inserted.entries()) {
    const isValue = typeof each !== "object" || each === null || !("texts" in each);
    const inner = isValue ? { texts: ["", ""], values: [each] } : each;
    const [first = "", ...others] = inner.texts;
    texts.push(`${texts.pop()}${first}`, ...others);
    texts.push(`${texts.pop()}${strings[at + 1]}`);
    values.push(...inner.values);
  }
  return { texts, values };
}

/** Text that goes into a statement as it is, such as the name of a table. */
export function raw(text: string): Statement {
  return { texts: [text], values: [] };
}

/** The row without its null columns, so that they are optional fields that are absent. */
export function present<T extends object>(row: { readonly [Key in keyof T]: T[Key] | null }): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T;
}

/** The text without NUL and without halves of surrogate pairs, which Postgres refuses. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}
