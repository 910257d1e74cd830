import { Kysely, SqliteDialect } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openSqliteDatabase } from "../sqlite-database.ts";
import { createSqliteDialect } from "../sqlite-dialect.ts";
import { createLogFollowers } from "./log-followers.ts";
import { migrate } from "./migrations/migrate.ts";
import type { Schema } from "./schema.ts";

describe("the lease on a run of another instance", () => {
  let db: Kysely<Schema>;
  const dialect = createSqliteDialect(() => Promise.resolve());
  const settle = () => vi.advanceTimersByTimeAsync(0);

  beforeEach(async () => {
    db = new Kysely({ dialect: new SqliteDialect({ database: openSqliteDatabase({ path: ":memory:" }) }) });
    await migrate(db, dialect);
    const thread = { project_id: "shop", visitor_id: "anna", created_at: "", updated_at: "" };
    for (const n of [1, 2]) {
      await db
        .insertInto("thread")
        .values({ ...thread, thread_id: `t${n}` })
        .execute();
      const run = { run_id: `run${n}`, thread_id: `t${n}`, instance_id: "there", status: "running", position: 2 };
      const rest = { project_id: "shop", visitor_id: "anna", question_id: "q", answer_id: "a", started_at: "" };
      await db
        .insertInto("run")
        .values({ ...run, ...rest, log_slot: 0, begun_ms: 0 } as never)
        .execute();
    }
    vi.useFakeTimers();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await db.destroy();
  });

  it("is sent to an instance one at a time, what is wanted meanwhile at once after it", async () => {
    const sent: string[] = [];
    const hanging: ((isSent: boolean) => void)[] = [];
    const followers = createLogFollowers(db, dialect, (instanceId, runIds) => {
      sent.push(`${instanceId}: ${runIds.toSorted().join(" ")}`);
      return new Promise((resolve) => hanging.push(resolve));
    });
    followers.follow("run1", 0, () => undefined);
    await settle();
    followers.follow("run2", 0, () => undefined);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(sent).toEqual(["there: run1"]);
    hanging[0]?.(true);
    await settle();
    expect(sent).toEqual(["there: run1", "there: run1 run2"]);
    followers.stop();
  });

  it("is sent again soon when it could not be sent, and else every five seconds", async () => {
    const outcomes = [false, true];
    let sendings = 0;
    const followers = createLogFollowers(db, dialect, () => {
      sendings += 1;
      return Promise.resolve(outcomes.shift() ?? true);
    });
    followers.follow("run1", 0, () => undefined);
    await settle();
    await vi.advanceTimersByTimeAsync(1_500);
    expect(sendings).toBe(2);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(sendings).toBe(2);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(sendings).toBe(3);
    followers.stop();
  });
});
