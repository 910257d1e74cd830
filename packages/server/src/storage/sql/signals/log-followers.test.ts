import { Kysely, SqliteDialect } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openSqliteDatabase } from "../../sqlite-database.ts";
import { createSqliteDialect } from "../../sqlite-dialect.ts";
import type { LogBatch } from "../../storage.ts";
import { createLogFollowers } from "./log-followers.ts";
import { migrate } from "../migrations/migrate.ts";
import type { Schema } from "../schema.ts";

describe("followers of other instances' runs", () => {
  let db: Kysely<Schema>;
  let errors: unknown[] = [];
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
    errors = [];
    vi.useFakeTimers();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await db.destroy();
  });

  const onError = (error: unknown) => errors.push(error);
  /** Appends one event to a run's log. */
  const append = (n: number, seq: number) =>
    db
      .insertInto("run_event")
      .values({ slot: 0, run_id: `run${n}`, seq, last_seq: seq, data: `{"type":"text-delta","delta":"${seq}"}` })
      .execute();

  it("a lease is sent to an instance one at a time; leases that are requested meanwhile follow at once", async () => {
    const sent: string[] = [];
    const hanging: ((isSent: boolean) => void)[] = [];
    const followers = createLogFollowers(
      db,
      dialect,
      (instanceId, runIds) => {
        sent.push(`${instanceId}: ${runIds.toSorted().join(" ")}`);
        return new Promise((resolve) => hanging.push(resolve));
      },
      onError,
    );
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

  it("a lease is sent again soon when it could not be sent, and otherwise every five seconds", async () => {
    const outcomes = [false, true];
    let sendings = 0;
    const followers = createLogFollowers(
      db,
      dialect,
      () => {
        sendings += 1;
        return Promise.resolve(outcomes.shift() ?? true);
      },
      onError,
    );
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

  it.each(["rejects", "throws"])("a lease whose sending %s is reported, and sent again", async (how) => {
    let sendings = 0;
    const lease = () => {
      sendings += 1;
      if (sendings === 1 && how === "throws") throw new Error("Away");
      return sendings === 1 ? Promise.reject(new Error("Away")) : Promise.resolve(true);
    };
    const followers = createLogFollowers(db, dialect, lease, onError);
    followers.follow("run1", 0, () => undefined);
    await settle();
    expect([sendings, errors]).toEqual([1, [new Error("Away")]]);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(sendings).toBe(2);
    followers.stop();
  });

  it("a follower that comes after the end polls nothing, and leaves no timer", () => {
    const followers = createLogFollowers(db, dialect, () => Promise.resolve(true), onError);
    followers.stop();
    followers.follow("run1", 0, () => undefined);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(["first", "last"])(
    "a follower that throws does not affect the others, and gets a broken end: the %s",
    async (place) => {
      const followers = createLogFollowers(db, dialect, () => Promise.resolve(true), onError);
      const heard: Record<string, unknown[]> = { bad: [], same: [], other: [] };
      const listen = (name: string) => (batch: LogBatch) => {
        heard[name]?.push(...batch.events.map(({ seq }) => seq), ...(batch.end ? [batch.end] : []));
        if (name === "bad") throw new Error(`Bad listener ${errors.length}`);
      };
      if (place === "first") followers.follow("run1", 0, listen("bad"));
      followers.follow("run1", 0, listen("same"));
      if (place === "last") followers.follow("run1", 0, listen("bad"));
      followers.follow("run2", 0, listen("other"));
      for (const seq of [1, 2]) {
        for (const n of [1, 2]) await append(n, seq);
        followers.wake(["run1", "run2"]);
        await settle();
      }
      expect(heard).toEqual({ bad: [1, "broken"], same: [1, 2], other: [1, 2] });
      expect(errors).toEqual([new Error("Bad listener 0"), new Error("Bad listener 1")]);
      // The poll continues, and no notification is needed.
      for (const n of [1, 2]) await append(n, 3);
      await db.updateTable("run").set({ status: "complete" }).execute();
      await vi.advanceTimersByTimeAsync(1_000);
      expect(heard).toEqual({ bad: [1, "broken"], same: [1, 2, 3, "whole"], other: [1, 2, 3, "whole"] });
      followers.stop();
    },
  );
});
