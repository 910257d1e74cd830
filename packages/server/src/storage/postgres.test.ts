import { afterAll, beforeAll, describe } from "vitest";
import { openPostgresStorage } from "./postgres.ts";
import { storageContract } from "./storage.contract.ts";
import { startTemporaryPostgres } from "./temporary-postgres.ts";
import type { TemporaryPostgres } from "./temporary-postgres.ts";

describe("Postgres", () => {
  let postgres: TemporaryPostgres;
  beforeAll(async () => {
    postgres = await startTemporaryPostgres();
  }, 60_000);
  afterAll(() => postgres.stop());

  storageContract(async () =>
    openPostgresStorage({ url: await postgres.createDatabase(), instanceId: "here", connections: 4 }),
  );
});
