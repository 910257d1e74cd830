import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../test-waits/eventually.contract.ts";
import {
  anna,
  answer,
  beginIn,
  delta,
  messagesOf,
  question,
  run,
  runOf,
  submit,
  time,
} from "./contract/fixture.contract.ts";
import { postgresForFile } from "./contract/postgres-for-file.contract.ts";
import { queryPostgres } from "./contract/query-postgres.contract.ts";
import { startWatchedProxy } from "./contract/watched-proxy.contract.ts";
import type { WatchedProxy } from "./contract/watched-proxy.contract.ts";
import { openPostgresStorage } from "./postgres.ts";
import { StorageUnavailableError } from "./storage.ts";
import type { Storage } from "./storage.ts";

describe("On Postgres", () => {
  const postgres = postgresForFile();
  let url = "";
  let proxy: WatchedProxy;
  let storage: Storage;
  let other: Client;
  beforeEach(async () => {
    url = await postgres.createMigrated();
    proxy = await startWatchedProxy(url, { refuses: false });
    storage = await openPostgresStorage({ url: proxy.url, directUrl: url, instanceId: "here", connections: 1 });
    other = new Client({ connectionString: url });
    await other.connect();
  });
  afterEach(async () => {
    proxy.loseAnswers(false);
    await storage.close();
    await other.end();
    proxy.stop();
  });

  const created = (threadId: string) => storage.threads.create(anna, { threadId, updatedAt: time(0) });
  const used = [
    {
      modelId: "m",
      purpose: "answer",
      calls: 1,
      estimatedCalls: 0,
      inputTokens: 7,
      cachedInputTokens: 0,
      outputTokens: 3,
    },
  ];
  const endOf = (n: number) => ({
    log: { seq: 1, tail: [delta(n, 1, "Да")], instanceId: "here" },
    used,
  });
  const tokens = async () => {
    const [sum] = await storage.usage.report({ from: "2026-11-21", to: "2026-11-21", by: "project" });
    return sum && sum.inputTokens + sum.outputTokens;
  };
  /** Resolves when a statement waits for a lock. */
  const untilBlocked = () =>
    eventually(async () => {
      const waiting = await queryPostgres(url, "select 1 from pg_stat_activity where wait_event_type = 'Lock'");
      expect(waiting).toHaveLength(1);
    });

  it("a question and the end of its answer take one round trip each, with a limit too", async () => {
    for (const n of [1, 2, 3, 4]) {
      await created(`t${n}`);
      proxy.packets();
      const options = n % 2 === 0 ? { ...submit(1), limit: 4 } : submit(1);
      expect((await storage.runs.begin(anna, run(n, `t${n}`), question(n), options)).outcome).toBe("begun");
      expect(proxy.packets()).toHaveLength(1);
      expect(await storage.runs.end(`run${n}`, answer(n, "Да"), time(2), endOf(n))).toBe(true);
      expect(proxy.packets()).toHaveLength(1);
      expect(await storage.threads.find(anna, `t${n}`)).toMatchObject({ updatedAt: time(2) });
      expect(await storage.events.read(`run${n}`, 0)).toEqual([delta(n, 1, "Да")]);
    }
    expect(await tokens()).toBe(40);
  });

  it.each([
    ["is busy with another question", "running", { outcome: "busy" }],
    ["comes after another question and its answer", "complete", { outcome: "begun" }],
  ])("a question that waits for its thread %s that arrived meanwhile", async (_, status, outcome) => {
    await created("t1");
    await other.query(`begin; update nitka.thread set head_id = 'a9', updated_at = '${time(1)}';
      insert into nitka.message (thread_id, id, position, role, content) values ('t1', 'q9', 1, 'user', '""'), ('t1', 'a9', 2, 'assistant', '[]');
      insert into nitka.run (run_id, thread_id, project_id, visitor_id, question_id, answer_id, instance_id, status, position, started_at, log_slot, begun_ms)
        values ('run9', 't1', 'shop', 'anna', 'q9', 'a9', 'there', '${status}', 2, '${time(1)}', 0, 0)`);
    const beginning = storage.runs.begin(anna, run(1), question(1), submit(2));
    await untilBlocked();
    await other.query("commit");
    expect(await beginning).toMatchObject(outcome);
    const ids = (await messagesOf(storage, anna, "t1")).map(({ id }) => id);
    expect(ids).toEqual(status === "running" ? ["q9", "a9"] : ["q9", "a9", "q1", "a1"]);
  });

  it.each([
    ["archived", `update nitka.thread set archived_at = '${time(1)}'`],
    ["claimed by another visitor", "update nitka.thread set visitor_id = 'boris'"],
    ["deleted", "delete from nitka.thread"],
  ])("a question that waits for its thread does not find it when it was %s meanwhile", async (_, change) => {
    await created("t1");
    await other.query(`begin; ${change}`);
    const beginning = storage.runs.begin(anna, run(1), question(1), submit(2));
    await untilBlocked();
    await other.query("commit");
    expect(await beginning).toEqual({ outcome: "missing", what: "thread" });
    expect(await queryPostgres(url, "select 1 from nitka.message")).toEqual([]);
  });

  it("an end waits for its thread, and leaves a run unchanged that another instance has ended meanwhile", async () => {
    await beginIn(storage, "t1", 1);
    await other.query(`begin; select 1 from nitka.thread for update; update nitka.run set status = 'complete'`);
    const ending = storage.runs.end("run1", answer(1, "Да"), time(2), endOf(1));
    await untilBlocked();
    await other.query("commit");
    expect(await ending).toBe(false);
    expect(await storage.threads.find(anna, "t1")).toEqual({ threadId: "t1", updatedAt: time(1), headId: "a1" });
    expect([await tokens(), await storage.events.read("run1", 0)]).toEqual([undefined, []]);
  });

  it("an end that waits for its thread does not delay others", async () => {
    await beginIn(storage, "t1", 1);
    await beginIn(storage, "t2", 2);
    await other.query("begin; select 1 from nitka.thread where thread_id = 't1' for update");
    const ends = [1, 2].map((n) => storage.runs.end(`run${n}`, answer(n, "Да"), time(2), endOf(n)));
    expect(await ends[1]).toBe(true);
    await other.query("commit");
    expect(await ends[0]).toBe(true);
    expect(await tokens()).toBe(20);
  });

  it("an end is final: a checkpoint that read its run before, and finds the thread unlocked after, changes nothing", async () => {
    const there = await openPostgresStorage({ url, instanceId: "there", connections: 2 });
    const looking = "state = 'active' and query like '%for update of%' and query not like '%pg_stat%'";
    // The moment between the read and the lock is short: on a busy machine it may pass unseen, and another run is
    // tried.
    let seen = false;
    for (let n = 1; n <= 20 && !seen; n += 1) {
      await beginIn(storage, `t${n}`, n);
      // The statement reads a long list between its read of the run and its lock of the thread.
      const others = Array.from({ length: 40_000 }, (_, k) => there.runs.checkpoint(`other${k}`, answer(9, ""), 1));
      const checkpoint = there.runs.checkpoint(`run${n}`, answer(n, "Д", { type: "running" }), 1);
      const state = { isOver: false };
      void checkpoint.finally(() => {
        state.isOver = true;
      });
      while (!seen && !state.isOver) {
        seen = (await other.query(`select 1 from pg_stat_activity where ${looking}`)).rows.length > 0;
      }
      expect(await storage.runs.end(`run${n}`, answer(n, "Да"), time(2), endOf(n))).toBe(true);
      await Promise.all([checkpoint, ...others]);
      expect((await messagesOf(storage, anna, `t${n}`)).at(-1)).toEqual(expect.objectContaining(answer(n, "Да")));
    }
    expect(seen).toBe(true);
    await there.close();
  });

  it("an end counts its tokens for the visitor who has claimed the thread", async () => {
    await beginIn(storage, "t1", 1);
    await storage.visitors.claim(anna, "host:7");
    await storage.runs.end("run1", answer(1, "Да"), time(2), endOf(1));
    const report = await storage.usage.report({ from: "2026-11-21", to: "2026-11-21", by: "visitor" });
    expect(report).toMatchObject([{ key: "host:7", inputTokens: 7, outputTokens: 3 }]);
  });

  it("a question stores nothing when its connection is cut before it is stored, and begins when it is sent again", async () => {
    await created("t1");
    await other.query("begin; select 1 from nitka.thread for update");
    const begun = storage.runs.begin(anna, run(1), question(1), { ...submit(1), limit: 4 });
    const error = begun.catch((reason: unknown) => reason);
    await untilBlocked();
    await queryPostgres(url, "select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'");
    expect(await error).toBeInstanceOf(StorageUnavailableError);
    await other.query("commit");
    expect(await queryPostgres(url, "select 1 from nitka.message")).toEqual([]);
    expect(await storage.runs.begin(anna, run(1), question(1), submit(2))).toMatchObject({ outcome: "begun" });
  });

  it("a question whose reply from the database is lost is known when it is sent again", async () => {
    await created("t1");
    proxy.loseAnswers(true);
    await expect(storage.runs.begin(anna, run(1), question(1), submit(1))).rejects.toThrow(StorageUnavailableError);
    proxy.loseAnswers(false);
    await eventually(async () => expect(await runOf(storage, 1)).toBeDefined());
    const again = { ...run(1), runId: "run2", answerId: "a2" };
    expect(await storage.runs.begin(anna, again, question(1), submit(2))).toMatchObject({
      outcome: "known",
      run: { runId: "run1" },
    });
    expect(await messagesOf(storage, anna, "t1")).toHaveLength(2);
  });

  it("an end whose reply from the database is lost is over when it is retried, and is counted once", async () => {
    await beginIn(storage, "t1", 1);
    proxy.loseAnswers(true);
    await expect(storage.runs.end("run1", answer(1, "Да"), time(2), endOf(1))).rejects.toThrow(StorageUnavailableError);
    proxy.loseAnswers(false);
    await eventually(async () => expect((await runOf(storage, 1))?.status).toBe("complete"));
    expect(await storage.runs.end("run1", answer(1, "Да"), time(2), endOf(1))).toBe(false);
    expect(await tokens()).toBe(10);
  });
});
