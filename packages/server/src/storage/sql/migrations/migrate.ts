import { sql } from "kysely";
import { setTimeout as sleep } from "node:timers/promises";
import { SchemaVersionError, StorageUnavailableError } from "../../storage.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { firstVersion } from "./0001-first-version.ts";
import type { Migration } from "./migration.ts";

/** All migrations in order. The version of a database is the number of migrations that have run. */
const migrations: readonly Migration[] = [firstVersion];

/** How long a migration waits for locks and other processes. */
export interface MigrationPatience {
  /** How long one try waits for a table's lock. Every statement that needs the table meanwhile waits behind it. */
  readonly lockMs: number;
  /** The pause between two tries, in which all waiting statements get their turn. */
  readonly pauseMs: number;
  readonly tries: number;
}

/** Ten minutes in total. */
const PATIENCE: MigrationPatience = { lockMs: 3_000, pauseMs: 2_000, tries: 120 };

/**
 * Brings a database up to date: runs all due migrations in one transaction, then makes their indexes, which does not
 * disturb running instances. When several processes start together, one does the work and the others wait. When the
 * schema is up to date, no right to change it is needed.
 *
 * If the process is ended halfway, the schema is unchanged or lacks some indexes, which the next call makes.
 *
 * @returns the names of the migrations that ran
 * @throws {SchemaVersionError} when the schema is newer than this program can work with
 * @throws {StorageUnavailableError} when another session does not release its locks
 */
export async function migrate(
  db: Db,
  dialect: SqlDialect,
  steps: readonly Migration[] = migrations,
  patience: MigrationPatience = PATIENCE,
): Promise<readonly string[]> {
  const done = await whenUnlocked(() => migrateAtOnce(db, dialect, steps, patience.lockMs), dialect, patience);
  const { version } = await stateOf(db, dialect);
  const indexes = steps.slice(0, version).flatMap((step) => step.indexes ?? []);
  while (indexes.length > 0 && !(await dialect.makeIndexes(db, indexes))) await sleep(patience.pauseMs);
  return done;
}

function migrateAtOnce(
  db: Db,
  dialect: SqlDialect,
  steps: readonly Migration[],
  lockMs: number,
): Promise<readonly string[]> {
  return db.transaction().execute(async (transaction) => {
    await dialect.prepareMigration(transaction, lockMs);
    await dialect.lock("nitka/migrate")?.execute(transaction);
    const state = await stateOf(transaction, dialect);
    refuseLater(state, steps);
    const due = steps.slice(state.version);
    if (due.length === 0) return [];
    const table = dialect.table("schema_version");
    await sql`create table if not exists ${table} (version integer not null, oldest_program integer not null)`.execute(
      transaction,
    );
    for (const step of due) await step.up(transaction, dialect);
    await sql`delete from ${table}`.execute(transaction);
    const oldest = oldestProgram(steps);
    await sql`insert into ${table} (version, oldest_program) values (${steps.length}, ${oldest})`.execute(transaction);
    return due.map(({ name }) => name);
  });
}

/** The oldest program that can work with the schema after these steps, as the number of migrations it knows. */
function oldestProgram(steps: readonly Migration[]): number {
  return Math.max(1, steps.at(-1)?.breaks ? steps.length : steps.length - 1);
}

/** Retries while another session holds a lock that the work needs. */
async function whenUnlocked<T>(
  work: () => Promise<T>,
  dialect: SqlDialect,
  { pauseMs, tries }: MigrationPatience,
): Promise<T> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (!dialect.isLocked(error)) throw error;
      if (left === 0) {
        throw new StorageUnavailableError(
          "The schema could not be migrated: another session holds locks on its tables, such as a backup. Let it end, then start again.",
          { cause: error },
        );
      }
      await sleep(pauseMs);
    }
  }
}

/**
 * Checks that this program can work with a database's schema: the schema is the program's own, or a newer one that this
 * program can still use.
 *
 * @throws {SchemaVersionError}
 */
export async function checkSchema(
  db: Db,
  dialect: SqlDialect,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  const state = await stateOf(db, dialect);
  refuseLater(state, steps);
  if (state.version >= steps.length) return;
  throw new SchemaVersionError(
    `The database's schema is version ${state.version}, and this version of Nitka needs version ${steps.length}. ` +
      "Bring it up to date with `nitka migrate`, or let the program do so when it starts.",
    state.version,
    true,
  );
}

interface SchemaState {
  /** The number of migrations that have run. */
  readonly version: number;
  /** The number of migrations that a program must know to work with the schema. */
  readonly oldestProgram: number;
}

async function stateOf(db: Db, dialect: SqlDialect): Promise<SchemaState> {
  const found = await sql<{ there: unknown }>`select ${dialect.hasTable("schema_version")} as there`.execute(db);
  if (!found.rows[0]?.there) return { version: 0, oldestProgram: 0 };
  const { rows } = await sql<{ version: number; oldest_program: number }>`
    select version, oldest_program from ${dialect.table("schema_version")}`.execute(db);
  return { version: rows[0]?.version ?? 0, oldestProgram: rows[0]?.oldest_program ?? 0 };
}

function refuseLater({ version, oldestProgram: oldest }: SchemaState, { length: known }: readonly Migration[]): void {
  if (known >= Math.min(version, oldest)) return;
  throw new SchemaVersionError(
    `The database's schema is version ${version}, and this version of Nitka supports versions up to ${known}. ` +
      "A later version has migrated it: start that version, or restore an earlier backup.",
    version,
    false,
  );
}
