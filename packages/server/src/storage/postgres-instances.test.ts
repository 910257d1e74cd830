import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../test-waits/eventually.contract.ts";
import { follow, stopPolls, withoutPolls } from "./contract/events.contract.ts";
import {
  allOf,
  anna,
  answer,
  beginIn,
  delta,
  exportOf,
  keep,
  question,
  run,
  submit,
  time,
} from "./contract/fixture.contract.ts";
import { postgresForFile } from "./contract/postgres-for-file.contract.ts";
import { queryPostgres } from "./contract/query-postgres.contract.ts";
import { startWatchedProxy } from "./contract/watched-proxy.contract.ts";
import { openPostgresStorage } from "./postgres.ts";
import type { RunSignal, Storage } from "./storage.ts";

describe("Postgres", () => {
  const postgres = postgresForFile();

  describe("with two instances", () => {
    let url = "";
    let here: Storage;
    let there: Storage;
    beforeEach(async () => {
      url = await postgres.createMigrated();
      here = await openPostgresStorage({ url, instanceId: "here", connections: 4 });
      there = await openPostgresStorage({ url, instanceId: "there", connections: 4 });
    });
    afterEach(async () => {
      await here.close();
      await there.close();
    });

    it("follow many runs of the other instance, each event once and in order", async () => {
      const runs = Array.from({ length: 40 }, (_, n) => n);
      for (const n of runs) await beginIn(here, `t${n}`, n);
      const followed = runs.map((n) => follow(there, `run${n}`));
      const joined: ReturnType<typeof follow>[] = [];
      for (let seq = 1; seq <= 60; seq += 2) {
        await here.events.append(runs.flatMap((n) => [delta(n, seq, `${seq}`), delta(n, seq + 1, `${seq + 1}`)]));
        joined.push(follow(there, `run${joined.length}`, seq));
      }
      for (const n of runs) await here.runs.end(`run${n}`, answer(n, "Всё"), time(9));
      await eventually(() => {
        expect([...followed, ...joined].filter(({ ends }) => ends.join() !== "whole")).toEqual([]);
      });
      const all = (n: number) => Array.from({ length: 60 }, (_, index) => delta(n, index + 1, `${index + 1}`));
      expect(followed.map(({ events }) => events)).toEqual(runs.map(all));
      expect(joined.map(({ events }) => events)).toEqual(joined.map((_, n) => all(n).slice(n * 2 + 1)));
    });

    it("wakes the other's readers before they poll", async () => {
      await beginIn(here, "t1", 1);
      stopPolls();
      const followed = follow(there, "run1");
      // After the reader's first poll, which has found nothing, the writer knows that it has a reader.
      await withoutPolls(() => here.events.flushMs("run1") === 80);
      for (let seq = 1; seq <= 20; seq += 1) {
        await here.events.append([delta(1, seq, "a")]);
        await withoutPolls(() => followed.events.length === seq);
      }
      expect(followed.events.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
      followed.stop();
    });

    it("finds events without a notification", async () => {
      await beginIn(here, "t1", 1);
      const followed = follow(there, "run1");
      await queryPostgres(
        url,
        `insert into nitka.run_event select log_slot, 'run1', 1, 1, '{"type":"finish"}' from nitka.run`,
      );
      await eventually(() => expect(followed.events).toHaveLength(1));
      followed.stop();
    });

    it("sends a cancel to the instance that writes the run, and new events and the end to followers", async () => {
      await beginIn(here, "t1", 1);
      const toldHere: RunSignal[] = [];
      const toldThere: RunSignal[] = [];
      here.signals.subscribe((signal) => toldHere.push(signal));
      there.signals.subscribe((signal) => toldThere.push(signal));
      const followed = follow(there, "run1");
      await eventually(() => expect(here.events.flushMs("run1")).toBe(80));
      await eventually(() => expect(toldThere).toHaveLength(1));
      await there.signals.publish({ type: "cancel", runId: "run1" });
      await eventually(() => expect(toldHere).toHaveLength(1));
      await here.events.append([delta(1, 1, "a")]);
      await here.runs.end("run1", answer(1, "a", { type: "incomplete", reason: "cancelled" }), time(3));
      await eventually(() => expect(toldThere).toHaveLength(4));
      expect(toldThere.map(({ type }) => type)).toEqual(["events", "cancel", "events", "ended"]);
      expect(toldHere.map(({ type }) => type)).toEqual(["cancel", "ended"]);
      await eventually(() => expect([followed.events.length, followed.ends]).toEqual([1, ["whole"]]));
    });

    it("sends nothing to an instance that follows nothing, and gathers longer without followers", async () => {
      const told: RunSignal[] = [];
      there.signals.subscribe((signal) => told.push(signal));
      const listener = new Client({ connectionString: url });
      await listener.connect();
      const heard: string[] = [];
      listener.on("notification", ({ payload }) => heard.push(payload ?? ""));
      await listener.query("listen nitka_all");
      for (let n = 1; n <= 5; n += 1) {
        await beginIn(here, `t${n}`, n);
        await here.events.append([delta(n, 1, "a")]);
        await here.runs.end(`run${n}`, answer(n, "a"), time(3));
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect([told, heard, here.events.flushMs("run1")]).toEqual([[], [], 480]);
      await listener.end();
    });

    it("signals more runs at once than fit into one notification", async () => {
      const runs = Array.from({ length: 200 }, (_, n) => n);
      const long = (n: number) => `${n}-${"long".repeat(10)}`;
      for (const n of runs) {
        await here.threads.create(anna, { threadId: `t${n}`, updatedAt: time(0) });
        await here.runs.begin(anna, { ...run(n, `t${n}`), runId: long(n) }, question(n), submit(1));
      }
      const followed = runs.map((n) => follow(there, long(n)));
      await eventually(() => expect(runs.every((n) => here.events.flushMs(long(n)) === 80)).toBe(true));
      const told = new Set<string>();
      there.signals.subscribe(({ runId }) => told.add(runId));
      await here.events.append(runs.map((n) => ({ runId: long(n), seq: 1, data: "{}" })));
      await eventually(() => expect(told.size).toBe(200));
      for (const { stop } of followed) stop();
    });

    it("begins one of two runs of the same question, and one of two questions", async () => {
      for (let round = 0; round < 10; round += 1) {
        const threadId = `same${round}`;
        await here.threads.create(anna, { threadId, updatedAt: time(0) });
        const same = [here, there].map((instance, n) =>
          instance.runs.begin(
            anna,
            { ...run(1, threadId), runId: `${threadId}-${n}`, answerId: `a${n}` },
            question(1),
            submit(1),
          ),
        );
        expect((await Promise.all(same)).map(({ outcome }) => outcome).toSorted()).toEqual(["begun", "known"]);
        const other = `other${round}`;
        await here.threads.create(anna, { threadId: other, updatedAt: time(0) });
        const different = [here, there].map((instance, n) =>
          instance.runs.begin(anna, { ...run(n, other), runId: `${other}-${n}` }, question(n), submit(1)),
        );
        expect((await Promise.all(different)).map(({ outcome }) => outcome).toSorted()).toEqual(["begun", "busy"]);
      }
    });

    it("sends heartbeats and appends while all connections for queries are busy", async () => {
      await beginIn(here, "t1", 1);
      const holder = new Client({ connectionString: url });
      await holder.connect();
      await holder.query("begin; lock table nitka.thread in access exclusive mode");
      const waiting = Array.from({ length: 8 }, () => here.threads.count(anna));
      await eventually(() => expect(here.figures()).toMatchObject({ waiting: 4 }));
      expect(await here.runs.heartbeat("here")).toEqual(["run1"]);
      await here.events.append([delta(1, 1, "a")]);
      expect(await queryPostgres(url, "select data from nitka.run_event")).toEqual([{ data: delta(1, 1, "a").data }]);
      expect(here.figures()).toMatchObject({ waiting: 4 });
      await holder.end();
      expect(await Promise.all(waiting)).toEqual(Array.from({ length: 8 }, () => 1));
    });

    it("send a heartbeat on another connection when the network has dropped the first, before they are stale", async () => {
      const proxy = await startWatchedProxy(url, { refuses: false });
      const far = await openPostgresStorage({ url: proxy.url, instanceId: "far", connections: 2 });
      await far.runs.heartbeat("far");
      proxy.forgetConnections();
      await expect(far.runs.heartbeat("far")).rejects.toThrow("timeout");
      const silent = "select 1 from nitka.instance where seen_ms < extract(epoch from clock_timestamp()) * 1000 - 7000";
      expect(await queryPostgres(url, silent)).toEqual([]);
      expect(await far.runs.heartbeat("far")).toEqual([]);
      await far.close();
      proxy.stop();
    });

    it("enforces an owner's limit over both instances", async () => {
      for (let n = 0; n < 10; n += 1) await here.threads.create(anna, { threadId: `t${n}`, updatedAt: time(0) });
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          (n % 2 === 0 ? here : there).runs.begin(anna, run(n, `t${n}`), question(n), { ...submit(1), limit: 4 }),
        ),
      );
      expect(outcomes.filter(({ outcome }) => outcome === "begun")).toHaveLength(4);
    });

    it("lets one of two instances interrupt each run of a dead one", async () => {
      for (let n = 0; n < 12; n += 1) await beginIn(here, `t${n}`, n);
      await there.runs.heartbeat("there");
      const claims = await Promise.all([
        here.runs.interruptStale(0, time(60)),
        there.runs.interruptStale(0, time(60)),
        there.runs.interruptStale(0, time(60)),
      ]);
      expect(
        claims
          .flat()
          .map(({ runId }) => runId)
          .toSorted(),
      ).toEqual(Array.from({ length: 12 }, (_, n) => `run${n}`).toSorted());
    });

    it("leaves a stale run whose thread is locked for the next call, and interrupts the others meanwhile", async () => {
      for (let n = 0; n < 12; n += 1) await beginIn(here, `t${n}`, n);
      const holder = new Client({ connectionString: url });
      await holder.connect();
      await holder.query("begin; select from nitka.thread where thread_id = 't0' for update");
      expect(await there.runs.interruptStale(0, time(60))).toHaveLength(11);
      expect(await there.runs.interrupt(["run0"], time(60))).toEqual([]);
      await holder.end();
      expect((await there.runs.interruptStale(0, time(60))).map(({ runId }) => runId)).toEqual(["run0"]);
    });

    it("sends heartbeats while a run is being interrupted, and checks again whether its instance is silent", async () => {
      await there.runs.heartbeat("there");
      for (let n = 0; n < 12; n += 1) await beginIn(here, `t${n}`, n, "quiet");
      await here.runs.heartbeat("quiet");
      await queryPostgres(url, "update nitka.instance set seen_ms = seen_ms - 60000 where instance_id = 'quiet'");
      await queryPostgres(url, "update nitka.run set begun_ms = begun_ms - 60000");
      const holder = new Client({ connectionString: url });
      await holder.connect();
      // The interruption of the first ten has locked their threads, and waits for their answers.
      await holder.query("begin; select from nitka.message where role = 'assistant' for update");
      const interrupting = there.runs.interruptStale(30_000, time(60));
      const waits = "select from pg_stat_activity where wait_event_type = 'Lock'";
      await eventually(async () => expect(await queryPostgres(url, waits)).not.toEqual([]));
      expect(await there.runs.heartbeat("quiet")).toHaveLength(12);
      await holder.end();
      expect(await interrupting).toHaveLength(10);
      expect(await here.runs.heartbeat("quiet")).toHaveLength(2);
    });

    it("expires threads on both at once: one of them drops each thread, without a deadlock", async () => {
      for (let n = 0; n < 90; n += 1) {
        await beginIn(here, `t${n}`, n);
        await here.runs.end(`run${n}`, answer(n, "Всё"), time(1));
        if (n % 2 === 0) await here.threads.archive(anna, `t${n}`, time(2));
      }
      const dropped = await Promise.all([
        ...[here, there].map(({ visitors }) => allOf(visitors.expireArchived("shop", time(200)))),
        ...[here, there].map(({ visitors }) => allOf(visitors.expire("shop", time(200)))),
        ...[here, there].map(({ runs }) => allOf(runs.forget(0)).then(() => 0)),
      ]);
      expect(dropped.reduce((sum, count) => sum + count, 0)).toBe(90);
      expect(await exportOf(here, anna)).toEqual({ ...anna, threads: [] });
      expect(await queryPostgres(url, "select 1 from nitka.run_event")).toEqual([]);
    });

    it("expires unsent uploads while their threads are being dropped, without a deadlock", async () => {
      const file = { type: "file", name: "a", contentType: "a/b", size: 1, url: "" } as const;
      for (const n of [1, 2, 3]) {
        await here.threads.create(anna, { threadId: `t${n}`, updatedAt: time(0) });
        await keep(here, anna, `t${n}`, { ...file, id: `f${n}` }, Uint8Array.of(1), time(n));
      }
      const dropping = new Client({ connectionString: url });
      await dropping.connect();
      await dropping.query("begin; select 1 from nitka.thread where thread_id in ('t1', 't2') for update");
      await dropping.query("delete from nitka.thread where thread_id = 't2'");
      let settled = false;
      const expiring = allOf(there.attachments.expire(time(9))).finally(() => (settled = true));
      const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock'";
      await eventually(async () => expect(settled || (await queryPostgres(url, waiting)).length > 0).toBe(true));
      await dropping.query("delete from nitka.thread where thread_id = 't1'");
      await dropping.query("commit");
      await dropping.end();
      expect(await expiring).toBe(1);
      expect(await here.attachments.findAll(anna, ["f1", "f2", "f3"])).toEqual([]);
    });

    it("survives concurrent ends, archiving and purging of the same threads", async () => {
      for (let n = 0; n < 20; n += 1) await beginIn(here, `t${n}`, n);
      const ids = Array.from({ length: 20 }, (_, n) => n);
      await Promise.all([
        ...ids.map((n) => here.runs.end(`run${n}`, answer(n, "Всё"), time(5))),
        ...ids.map((n) => there.threads.archive(anna, `t${n}`, time(5))),
        ...ids.map((n) => there.runs.checkpoint(`run${n}`, answer(n, "В", { type: "running" }), 1)),
        there.runs.interruptStale(0, time(60)),
        there.visitors.purge(anna),
      ]);
      expect(await exportOf(here, anna)).toEqual({ ...anna, threads: [] });
    });
  });
});
