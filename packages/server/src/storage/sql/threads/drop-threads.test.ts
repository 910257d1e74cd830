import { Kysely, SqliteDialect } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { openSqliteDatabase } from "../../sqlite-database.ts";
import { createSqliteDialect } from "../../sqlite-dialect.ts";
import type { Schema } from "../schema.ts";
import { createRunSignals } from "../signals/run-signals.ts";
import { silentBus } from "../signals/signal-bus.ts";
import { dropThreads } from "./drop-threads.ts";

it("gives up when no thread can be found, instead of skipping one again and again", async () => {
  const db = new Kysely<Schema>({
    dialect: new SqliteDialect({ database: openSqliteDatabase({ path: ":memory:" }) }),
  });
  onTestFinished(() => db.destroy());
  const dialect = createSqliteDialect(() => Promise.resolve());
  const limits: number[] = [];
  const find = async (_: unknown, limit: number) => {
    limits.push(limit);
    if (limits.length < 10) throw new Error("no such column");
    return [];
  };
  const parts = dropThreads(
    db,
    dialect,
    createRunSignals(silentBus, () => undefined),
    { find },
  );
  await expect(parts.next()).rejects.toThrow("no such column");
  expect(limits).toEqual([20, 2, 1]);
});
