import { Kysely, PostgresDialect } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../test-waits/eventually.contract.ts";
import { postgresForFile } from "./contract/postgres-for-file.contract.ts";
import { openPostgresBus } from "./postgres-bus.ts";
import { createPostgresPool } from "./postgres-pool.ts";
import type { Schema } from "./sql/schema.ts";
import { ALL } from "./sql/signals/signal-bus.ts";
import type { BusListener } from "./sql/signals/signal-bus.ts";
import { silentStorageLog } from "./storage.ts";

const postgres = postgresForFile();

it("takes messages to instances with any ids, to the listeners that have not stopped", async () => {
  const url = await postgres.current.createDatabase();
  const pool = createPostgresPool({ url, size: 1 });
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  const open = (instanceId: string) => openPostgresBus({ url, instanceId, db, log: silentStorageLog });
  const ids = ["here", "имя \"в\" 'кавычках'", "long".repeat(30)];
  const buses = await Promise.all(ids.map(open));
  onTestFinished(async () => {
    await Promise.all(buses.map((bus) => bus.close()));
    await db.destroy();
  });
  const heard: string[] = [];
  const hear =
    (name: string): BusListener =>
    (type, runIds, from) =>
      heard.push(`${name}: ${type} ${runIds.join()} from ${from}`);
  const stops = buses.map((bus, index) => bus.listen(hear(`${index}`)));
  const [here, quoted, long] = buses;
  await here?.send(ids[1] ?? "", "cancel", ["run1"]);
  await here?.send(ids[2] ?? "", "ended", ["run2", "run3"]);
  await quoted?.send("here", "follow", ["run4"]);
  const first = [`0: follow run4 from ${ids[1]}`, "1: cancel run1 from here", "2: ended run2,run3 from here"];
  await eventually(() => expect(heard.toSorted()).toEqual(first));
  stops[1]?.();
  quoted?.listen(hear("later"));
  await long?.send(ALL, "events", ["run5"]);
  const second = [`0: events run5 from ${ids[2]}`, `later: events run5 from ${ids[2]}`];
  await eventually(() => expect(heard.slice(3).toSorted()).toEqual(second));
});
