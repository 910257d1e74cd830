import { afterAll, beforeAll } from "vitest";
import { startTemporaryPostgres } from "../testing/temporary-postgres.ts";
import type { TemporaryPostgres } from "../testing/temporary-postgres.ts";

/** How long a Postgres may take to start on a machine that is busy with other things. */
const START_MS = 60_000;

/** A Postgres for all tests of a file or a group, started before and stopped after them. */
export function postgresForFile(): { readonly current: TemporaryPostgres } {
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
  };
}
