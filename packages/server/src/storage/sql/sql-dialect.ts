import type { CompiledQuery, DatabaseConnection, Kysely, RawBuilder } from "kysely";
import type { Parts } from "../stored.ts";
import type { Schema } from "./schema.ts";
import type { WordIndex } from "./search/word-index.ts";

/** The database, or a transaction or connection of it. */
export type Db = Kysely<Schema>;

/** What the repositories need in addition to standard SQL. Each database has its own dialect. */
export interface SqlDialect {
  /** Whether transactions run concurrently, so that rows must be locked. */
  readonly concurrent: boolean;
  /** The column type of ids and times: text in byte order. */
  readonly keyType: string;
  readonly bytesType: string;
  /** The column that numbers the rows of `thread_words`, when `wordIndex` needs row numbers. */
  readonly rowKey?: string;
  readonly wordIndex: WordIndex;
  /** The type of a primary key that counts up automatically and never repeats a number. */
  readonly serialKey: string;
  /** The expression for an unguessable id. */
  readonly randomId: string;
  /** A table's name in raw SQL. The query builder adds the schema itself. */
  readonly table: (name: keyof Schema) => RawBuilder<unknown>;
  /** A boolean expression: whether the table exists. */
  readonly hasTable: (name: keyof Schema) => RawBuilder<unknown>;
  /**
   * A JSON list of lists as a table, so that one parameter carries any number of rows. Its columns are `jsonValue`s.
   *
   * @example sql`select ${dialect.jsonValue(0, "text")} from ${dialect.jsonRows('[["run1"],["run2"]]')}` // run1, run2
   */
  readonly jsonRows: (json: string) => RawBuilder<unknown>;
  /**
   * The same for a list with one row: Postgres assumes a hundred rows for any other list, and would then scan small
   * tables completely.
   */
  readonly oneJsonRow: SqlDialect["jsonRows"];
  /** The value at `index` of a row of `jsonRows`, cast to this type. See `jsonTable`. */
  readonly jsonValue: <T extends string | number>(index: number, type: "text" | "integer" | "bigint") => RawBuilder<T>;
  /** The database's clock, in milliseconds since 1970. */
  readonly nowMs: RawBuilder<number>;
  /** The bytes of each table, or of all tables together. */
  readonly tableBytes: RawBuilder<{ readonly name: string; readonly bytes: number | string }>;
  /** The number of slots that the event logs are divided into, by the time when their runs began (decision 14). */
  readonly logSlots: number;
  /** The slot of runs that begin now. */
  readonly logSlot: RawBuilder<number>;
  /** The table of a slot. */
  readonly logTable: (slot: number) => RawBuilder<unknown>;
  /** Drops the logs of runs that ended `keptMs` ago or earlier. */
  readonly forgetLogs: (db: Db, keptMs: number) => Parts;
  /**
   * Statements that create a trigger: `statement` runs for each row that is inserted (`new`), deleted (`old`) or
   * updated (both).
   */
  readonly afterChange: (trigger: {
    readonly table: string;
    readonly change: "insert" | "delete" | "update of counted";
    readonly trigger: string;
    readonly statement: string;
  }) => readonly RawBuilder<unknown>[];
  /**
   * An advisory lock named `key` that is held until the end of the transaction. `undefined` when transactions never run
   * concurrently.
   */
  readonly lock: (key: string) => RawBuilder<unknown> | undefined;
  /** The same lock, without waiting: `locked` says whether it was free. */
  readonly tryLock: (key: string) => RawBuilder<{ readonly locked: boolean }> | undefined;
  /**
   * Whether a row is one of the rows that a query selects by `rowName`. Postgres finds them without reading other rows.
   */
  readonly isRowOf: (names: RawBuilder<unknown>) => RawBuilder<boolean>;
  readonly rowName: RawBuilder<unknown>;
  /** The most milliseconds for one part of housekeeping. On SQLite the whole process waits meanwhile. */
  readonly partMs: number;
  /** The time span of the runs that one statement sums, in milliseconds. A day is a multiple of it. */
  readonly sumSpanMs: number;
  /**
   * Sends statements in one round trip. They run in order. When one fails, none of the later ones takes effect, and the
   * promise rejects with its error. Returns the rows of each.
   */
  readonly send: (
    connection: DatabaseConnection,
    statements: readonly CompiledQuery[],
  ) => Promise<readonly (readonly unknown[])[]>;
  /** Combines independent statements into a single one if the database can do that. */
  readonly asOne: (statements: readonly RawBuilder<unknown>[]) => readonly RawBuilder<unknown>[];
  /** Resolves to the result of `work` once its commit would survive a power loss. */
  readonly durable: <T>(work: Promise<T>) => Promise<T>;
  /**
   * A statement that executes an insert and sends notices. It need not be `durable`.
   *
   * @param notices a JSON list of [channel, payload] pairs
   */
  readonly appending: (insert: RawBuilder<unknown>, notices: string) => RawBuilder<unknown>;
  /**
   * Prepares a transaction for migrations: unqualified table names resolve, and only waits for locks have a time limit.
   */
  readonly prepareMigration: (transaction: Db, lockMs: number) => Promise<void>;
  /** Whether an error means that another session holds a lock, so that a retry may succeed. */
  readonly isLocked: (error: unknown) => boolean;
  /** Makes the missing ones of these indexes. Returns false when another process is making them. */
  readonly makeIndexes: (db: Db, indexes: readonly LateIndex[]) => Promise<boolean>;
  /** Runs `work` in a transaction that survives the death of the process, but not necessarily a power loss. */
  readonly relaxed: <T>(db: Db, work: (transaction: Db) => Promise<T>) => Promise<T>;
  /**
   * Removes deleted data from the database's files. With `space` it also returns the space to the file system, which
   * may take long. Resolves to `false` when that must wait for another process that is reading the data. Does nothing
   * if the database does this automatically.
   */
  readonly reclaim: (what: "text" | "space") => Promise<boolean>;
}

/** An index that is made after the transaction of its migration. */
export interface LateIndex {
  readonly name: string;
  readonly table: keyof Schema;
  readonly unique?: true;
  /**
   * The SQL after the table's name.
   *
   * @example "(project_id, started_at) where rating is not null"
   */
  readonly on: string;
}
