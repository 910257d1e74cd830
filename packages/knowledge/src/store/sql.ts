/** A statement that SQLite and Postgres both understand, or a part of one. A value stands between each two texts. */
export interface Statement {
  readonly texts: readonly string[];
  readonly values: readonly SqlValue[];
}

/** A list is compared with `dialect.isIn`, or read by `dialect.rows` when it is one of rows. */
export type SqlValue = string | number | null | Uint8Array | readonly string[] | readonly number[];

/** What stands in a statement as `${…}`: a value, or a part of it. */
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
  /** Prepares for fast searches after much has been written. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Where the two differ. */
export interface SqlDialect {
  /** A table by its name. */
  readonly table: (name: string) => Statement;
  /** A statement that gives a row if there is a table or an index of that name. */
  readonly find: (name: string) => Statement;
  /** Statements before the first table is made. */
  readonly beforeTables: readonly Statement[];
  readonly keyType: Statement;
  readonly idType: Statement;
  readonly bytesType: Statement;
  /** The end of a table's definition whose rows are kept in the order of its key. */
  readonly clustered: Statement;
  /** What an index is to have beside its key, so that the table is not looked at. */
  readonly covers: (column: string) => Statement;
  /** Whether a value is in the list, or among the few that a query gives. */
  readonly isIn: (list: readonly string[] | readonly number[] | Statement) => Statement;
  /** What is looked up by an index for each row of the table before a cross join. */
  readonly rowByRow: (found: Statement) => Statement;
  /** A subquery named `listed`, whose rows have these columns of what is listed. */
  readonly rows: <Name extends string>(list: readonly Listed<NoInfer<Name>>[], columns: ColumnTypes<Name>) => Statement;
}

type Listed<Name extends string> = { readonly [Each in Name]?: string | number | undefined };
type ColumnTypes<Name extends string> = Readonly<Record<Name, "text" | "bigint" | "double precision">>;

/** A list as JSON: of each row a list of what its columns have. */
export function listJson<Name extends string>(list: readonly Listed<Name>[], columns: ColumnTypes<Name>): string {
  const names = Object.keys(columns) as Name[];
  return JSON.stringify(list.map((row) => names.map((name) => row[name])));
}

/** A part of a statement, with what stands in it. `undefined` is null. */
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

/** A part of a statement that is no value. */
export function raw(text: string): Statement {
  return { texts: [text], values: [] };
}

/** A row without the columns that are null. */
export function present<T extends object>(row: { readonly [Key in keyof T]: T[Key] | null }): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T;
}

/** Text that both databases store: Postgres refuses NUL and halves of surrogate pairs. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}
