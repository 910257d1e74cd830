import { sql } from "kysely";
import { SchemaVersionError } from "../../schema-version-error.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import type { Migration } from "./migration.ts";
import { firstVersion } from "./0001-first-version.ts";

/** All migrations in their order. The version of a database is how many of them have run. */
const migrations: readonly Migration[] = [firstVersion];

/**
 * Migrates a database in one transaction. Of processes that start together one does it, and the others wait. When the
 * schema is up to date, no right to change it is needed.
 *
 * @returns the names of the migrations that ran
 * @throws {SchemaVersionError} when the schema is newer than this program knows
 */
export async function migrate(
  db: Db,
  dialect: SqlDialect,
  steps: readonly Migration[] = migrations,
): Promise<readonly string[]> {
  return await db.transaction().execute(async (transaction) => {
    await dialect.prepareMigration(transaction);
    await dialect.lock("nitka/migrate")?.execute(transaction);
    const version = await versionOf(transaction, dialect);
    refuseLater(version, steps);
    const due = steps.slice(version);
    if (due.length === 0) return [];
    const table = dialect.table("schema_version");
    await sql`create table if not exists ${table} (version integer not null)`.execute(transaction);
    for (const step of due) await step.up(transaction, dialect);
    await sql`delete from ${table}`.execute(transaction);
    await sql`insert into ${table} (version) values (${steps.length})`.execute(transaction);
    return due.map(({ name }) => name);
  });
}

/**
 * Checks that a database's schema is the one that this program needs.
 *
 * @throws {SchemaVersionError} when it is older or newer
 */
export async function checkSchema(
  db: Db,
  dialect: SqlDialect,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  const version = await versionOf(db, dialect);
  refuseLater(version, steps);
  if (version === steps.length) return;
  throw new SchemaVersionError(
    `The database's schema is version ${version}, and this version of Nitka needs version ${steps.length}. ` +
      "Bring it up to date with `nitka migrate`, or let the program do so when it starts.",
  );
}

/** How many migrations have run. */
async function versionOf(db: Db, dialect: SqlDialect): Promise<number> {
  const found = await sql<{ there: unknown }>`select ${dialect.hasTable("schema_version")} as there`.execute(db);
  if (!found.rows[0]?.there) return 0;
  const { rows } = await sql<{ version: number }>`select version from ${dialect.table("schema_version")}`.execute(db);
  return rows[0]?.version ?? 0;
}

function refuseLater(version: number, { length: known }: readonly Migration[]): void {
  if (version <= known) return;
  throw new SchemaVersionError(
    `The database's schema is version ${version}, and this version of Nitka knows it up to ${known}. ` +
      "A later version has used it: start that one, or restore a backup from before.",
  );
}
