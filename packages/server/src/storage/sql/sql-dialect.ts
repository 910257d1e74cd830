import type { CompiledQuery, DatabaseConnection, Kysely, RawBuilder } from "kysely";
import type { Schema } from "./schema.ts";

/** The database, or a transaction or connection of it. */
export type Db = Kysely<Schema>;

/** What the repositories must know of a database beside standard SQL. Each database brings its own. */
export interface SqlDialect {
  /** Whether transactions run side by side, so that rows must be locked. */
  readonly concurrent: boolean;
  /** The column type of ids and times: text that is compared byte by byte. */
  readonly keyType: string;
  readonly bytesType: string;
  /** A table's name for statements that are written as text: the query builder knows by itself where tables are. */
  readonly table: (name: keyof Schema) => RawBuilder<unknown>;
  /** Whether there is such a table, as an expression that is true or false. */
  readonly hasTable: (name: keyof Schema) => RawBuilder<unknown>;
  /** A JSON list of lists as a table with the alias `item`. */
  readonly items: (json: string) => RawBuilder<unknown>;
  /** The element at `index` of a row of `items`. */
  readonly element: <T extends string | number>(index: number, type: "text" | "integer" | "bigint") => RawBuilder<T>;
  /** The database's clock: milliseconds since 1970. */
  readonly nowMs: RawBuilder<number>;
  /** The bytes of each table, or of all together. */
  readonly tableBytes: RawBuilder<{ readonly name: string; readonly bytes: number | string }>;
  /** Into how many slots run logs are divided, by the time at which their runs began. */
  readonly logSlots: number;
  /** The slot of a run that begins now. */
  readonly logSlot: RawBuilder<number>;
  /** The table of a slot. */
  readonly logTable: (slot: number) => RawBuilder<unknown>;
  /** Drops the logs of runs that ended so many milliseconds ago. */
  readonly forgetLogs: (db: Db, keptMs: number) => Promise<void>;
  /** Statements that make a trigger: `statement` runs for each row of the table that goes, as `old`. */
  readonly afterChange: (trigger: {
    readonly table: string;
    readonly change: "insert" | "delete";
    readonly trigger: string;
    readonly statement: string;
  }) => readonly RawBuilder<unknown>[];
  /** Waits for what is named by `key`, and holds it until the transaction's end. `undefined` where nobody can hold it. */
  readonly lock: (key: string) => RawBuilder<unknown> | undefined;
  /**
   * Sends statements at one go, which run one after the other. After one that fails none takes effect; the promise
   * rejects with its error. Returns the rows of each.
   */
  readonly send: (
    connection: DatabaseConnection,
    statements: readonly CompiledQuery[],
  ) => Promise<readonly (readonly unknown[])[]>;
  /** Statements that do not see what the others change, as one where the database can do so. */
  readonly asOne: (statements: readonly RawBuilder<unknown>[]) => readonly RawBuilder<unknown>[];
  /** Resolves to what `work` does when that is on the disk, should the machine lose its power. */
  readonly durable: <T>(work: Promise<T>) => Promise<T>;
  /**
   * A statement that executes an insert, which need not be `durable`, and sends notices with it.
   *
   * @param notices a JSON list of channels, each with its payload
   */
  readonly appending: (insert: RawBuilder<unknown>, notices: string) => RawBuilder<unknown>;
  /** Makes a transaction fit for migrations: unqualified names are the tables', and it may take its time. */
  readonly prepareMigration: (transaction: Db) => Promise<void>;
  /** Runs `work` in a transaction that need not be `durable`. It outlives the process all the same. */
  readonly relaxed: <T>(db: Db, work: (transaction: Db) => Promise<T>) => Promise<T>;
  /**
   * Takes what was deleted out of the files, and for `space` gives back what it took, however long that takes. Nothing to
   * do where the database itself does so.
   */
  readonly reclaim: (what: "text" | "space") => Promise<void>;
}
