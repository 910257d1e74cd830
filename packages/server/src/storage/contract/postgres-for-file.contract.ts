import { afterAll, beforeAll } from "vitest";
import { migratePostgres } from "../postgres.ts";
import { startTemporaryPostgres } from "../testing/temporary-postgres.ts";
import type { TemporaryPostgres } from "../testing/temporary-postgres.ts";

export interface PostgresForFile {
  readonly current: TemporaryPostgres;
  /**
   * Makes a database with the newest schema and returns its URL. It is a copy: for many tests that takes less than half of
   * the processor time of migrating a new database for each.
   */
  createMigrated(): Promise<string>;
}

/** A Postgres for all tests of a file or a group, started before and stopped after them. */
export function postgresForFile(): PostgresForFile {
  let current: TemporaryPostgres | undefined;
  let original: Promise<string> | undefined;
  beforeAll(async () => {
    current = await startTemporaryPostgres();
  });
  afterAll(() => current?.stop());

  async function migrated(postgres: TemporaryPostgres): Promise<string> {
    const url = await postgres.createDatabase();
    await migratePostgres({ url });
    return url;
  }

  const postgres = {
    get current() {
      if (!current) throw new Error("There is a Postgres only while tests run");
      return current;
    },
    async createMigrated() {
      original ??= migrated(postgres.current);
      return postgres.current.createDatabase(await original);
    },
  };
  return postgres;
}
