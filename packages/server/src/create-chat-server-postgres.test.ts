import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { instancesContract } from "./contract/instances.contract.ts";
import { queryPostgres } from "./storage/contract/query-postgres.contract.ts";
import { openPostgresStorage } from "./storage/postgres.ts";
import { startTemporaryPostgres } from "./storage/temporary-postgres.ts";
import type { TemporaryPostgres } from "./storage/temporary-postgres.ts";

describe("on Postgres", () => {
  let postgres: TemporaryPostgres;
  beforeAll(async () => {
    postgres = await startTemporaryPostgres();
  }, 60_000);
  afterAll(() => postgres.stop());

  const closes: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closes.splice(0)) await close();
  });

  instancesContract(async () => {
    const url = await postgres.createDatabase();
    const here = await openPostgresStorage({ url, instanceId: "a", connections: 4 });
    const there = await openPostgresStorage({ url, instanceId: "b", connections: 4 });
    closes.push(
      () => here.close(),
      () => there.close(),
    );
    const loseLogs = async () => void (await queryPostgres(url, "truncate nitka.run_event"));
    return { here, there, loseLogs };
  });
});
