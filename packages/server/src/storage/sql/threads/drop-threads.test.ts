import { Kysely, SqliteDialect } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { anna, answer, question, run, submit, time } from "../../contract/fixture.contract.ts";
import { openSqliteStorage } from "../../sqlite.ts";
import type { RunSignal } from "../../storage.ts";
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

it("cancels the runs that are running, and no run that has ended", async () => {
  const storage = await openSqliteStorage({ path: ":memory:" });
  onTestFinished(() => storage.close());
  for (const n of [1, 2]) {
    await storage.threads.create(anna, { threadId: `t${n}`, updatedAt: time(0) });
    await storage.runs.begin(anna, run(n, `t${n}`), question(n), submit(n));
  }
  await storage.runs.end("run1", answer(1, "Да"), time(3));
  const signals: RunSignal[] = [];
  storage.signals.subscribe((signal) => void signals.push(signal));
  expect(await storage.visitors.purge(anna)).toBe(2);
  expect(signals).toEqual([{ type: "cancel", runId: "run2" }]);
});
