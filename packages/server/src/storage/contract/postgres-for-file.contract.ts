import { afterAll, beforeAll } from "vitest";
import { migratePostgres } from "../postgres.ts";
import { startTemporaryPostgres } from "../testing/temporary-postgres.ts";
import type { TemporaryPostgres } from "../testing/temporary-postgres.ts";

/** How long a Postgres may take to start on a machine that is busy with other things. */
const START_MS = 60_000;

export interface PostgresForFile {
  readonly current: TemporaryPostgres;
  /**
   * Makes a database with the schema and no data, and returns its URL. It copies one that is migrated once, which takes a
   * third of the time that the migrations take.
   */
  readonly createMigrated: () => Promise<string>;
}

/** A Postgres for all tests of a file or a group, started before and stopped after them. */
export function postgresForFile(): PostgresForFile {
  let migrated: Promise<string> | undefined;
  let current: TemporaryPostgres | undefined;
  beforeAll(async () => {
    current = await startTemporaryPostgres();
  }, START_MS);
  afterAll(() => current?.stop(), START_MS);
  return {
    get current() {
      if (!current) throw new Error("There is a Postgres only while tests run");
      return current;
    },
    async createMigrated() {
      migrated ??= createMigrated(this.current);
      return this.current.createDatabase(await migrated);
    },
  };
}

async function createMigrated(postgres: TemporaryPostgres): Promise<string> {
  const url = await postgres.createDatabase();
  await migratePostgres({ url });
  return url;
}
