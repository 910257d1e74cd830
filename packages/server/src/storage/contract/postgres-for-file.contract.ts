import { afterAll, beforeAll } from "vitest";
import { startTemporaryPostgres } from "../testing/temporary-postgres.ts";
import type { TemporaryPostgres } from "../testing/temporary-postgres.ts";

/** A Postgres for all tests of a file or a group, started before and stopped after them. */
export function postgresForFile(): { readonly current: TemporaryPostgres } {
  let current: TemporaryPostgres | undefined;
  beforeAll(async () => {
    current = await startTemporaryPostgres();
  });
  afterAll(() => current?.stop());
  return {
    get current() {
      if (!current) throw new Error("There is a Postgres only while tests run");
      return current;
    },
  };
}
