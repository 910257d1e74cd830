import { sql } from "kysely";
import { StorageUnavailableError } from "../../storage.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import type { Migration } from "./migration.ts";
import { conversations } from "./0001-conversations.ts";
import { logSlots } from "./0002-log-slots.ts";
import { archivedThreads } from "./0003-archived-threads.ts";
import { failureCodes } from "./0004-failure-codes.ts";
import { usage } from "./0005-usage.ts";
import { files } from "./0006-files.ts";

/** Every step, in order; a database's version is how many of them it has seen. */
const migrations: readonly Migration[] = [conversations, logSlots, archivedThreads, failureCodes, usage, files];

/** A later version of the program has used the database: its address is right, and this program the wrong one. */
export class SchemaVersionError extends StorageUnavailableError {
  override readonly name = "SchemaVersionError";
}

/**
 * Brings a database's schema up to date, in one transaction. Of processes that start together one does it, and the
 * others wait.
 *
 * @throws {SchemaVersionError} when the schema is of a later version than this program knows
 */
export async function migrate(db: Db, dialect: SqlDialect, steps: readonly Migration[] = migrations): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await dialect.prepareMigration(transaction);
    await dialect.lock(transaction, "nitka/migrate");
    await sql`create table if not exists schema_version (version integer not null)`.execute(transaction);
    const { rows } = await sql<{ version: number }>`select version from schema_version`.execute(transaction);
    const version = rows[0]?.version ?? 0;
    if (version > steps.length) {
      throw new SchemaVersionError(
        `The database's schema is version ${version}, and this version of Nitka knows it up to ${steps.length}. ` +
          "A later version has used it: start that one, or restore a backup from before.",
      );
    }
    if (version === steps.length) return;
    for (const step of steps.slice(version)) await step.up(transaction, dialect);
    await sql`delete from schema_version`.execute(transaction);
    await sql`insert into schema_version (version) values (${steps.length})`.execute(transaction);
  });
}
