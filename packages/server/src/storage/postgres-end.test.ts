import type { MessageStatus } from "@nitka/protocol";
import { Kysely, PostgresDialect } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  anna,
  answer,
  beginIn,
  boris,
  delta,
  question,
  run,
  runOf,
  submit,
  time,
} from "./contract/fixture.contract.ts";
import { postgresForFile } from "./contract/postgres-for-file.contract.ts";
import { queryPostgres } from "./contract/query-postgres.contract.ts";
import { seeded } from "./contract/seeded.contract.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { createPostgresPool, POSTGRES_SCHEMA } from "./postgres-pool.ts";
import { openPostgresStorage } from "./postgres.ts";
import { createRunEnds } from "./sql/runs/end-runs.ts";
import type { RunEnd } from "./sql/runs/end-statements.ts";
import type { Schema } from "./sql/schema.ts";
import type { Storage } from "./storage.ts";

/** One database, and how runs end in it. */
interface Side {
  readonly url: string;
  readonly storage: Storage;
  /** Resolves to whether each of them has ended its run. */
  readonly endAll: (ends: readonly RunEnd[]) => Promise<readonly boolean[]>;
  readonly ended: string[];
  readonly close: () => Promise<void>;
}

describe("Runs that end at once on Postgres", () => {
  const postgres = postgresForFile();
  let sides: readonly Side[] = [];

  async function openSide({ byOne, atOnce }: { readonly byOne: boolean; readonly atOnce: boolean }): Promise<Side> {
    const url = await postgres.current.createDatabase();
    const storage = await openPostgresStorage({ url, instanceId: "here", connections: 2 });
    const pool = createPostgresPool({ url, size: 1 });
    const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }).withSchema(POSTGRES_SCHEMA);
    const ended: string[] = [];
    // A dialect without concurrent transactions has no special statement for ends.
    const end = createRunEnds(db, { ...postgresDialect, concurrent: byOne }, (runIds) => ended.push(...runIds));
    const endAll = async (ends: readonly RunEnd[]) => {
      if (atOnce) return await Promise.all(ends.map(end));
      const outcomes: boolean[] = [];
      for (const each of ends) outcomes.push(await end(each));
      return outcomes;
    };
    const close = async () => {
      await storage.close();
      await db.destroy();
    };
    return { url, storage, endAll, ended, close };
  }

  afterEach(async () => {
    for (const { close } of sides) await close();
  });

  /** Everything that an end may change, without the database's own times and positions. */
  async function tablesOf({ url }: Side): Promise<unknown> {
    const sums =
      "sum(calls) c, sum(estimated_calls) e, sum(input_tokens) i, sum(cached_tokens) n, sum(output_tokens) o";
    const [rows] = (await queryPostgres(
      url,
      `select (select json_agg(to_jsonb(thread) order by thread_id) from nitka.thread) as threads,
        (select json_agg(to_jsonb(message) order by thread_id, position) from nitka.message) as messages,
        (select json_agg(to_jsonb(run) - 'begun_ms' - 'ended_ms' - 'log_slot' order by run_id) from nitka.run) as runs,
        (select json_agg(to_jsonb(run_event) - 'slot' order by run_id, seq) from nitka.run_event) as events,
        (select json_agg(to_jsonb(visitor_usage) order by visitor_id, day, model_id, purpose) from nitka.visitor_usage) as visitors,
        (select json_agg(by_day) from (select project_id, day, model_id, purpose, ${sums}
          from nitka.project_usage group by 1, 2, 3, 4 order by 1, 2, 3, 4) as by_day) as projects`,
    )) as [unknown];
    return rows;
  }

  it.each([1, 2])(
    "leave the same data as one after the other, by transactions: seed %i",
    async (seed) => {
      sides = [
        await openSide({ byOne: true, atOnce: true }),
        await openSide({ byOne: false, atOnce: true }),
        await openSide({ byOne: false, atOnce: false }),
      ];
      const random = seeded(seed);
      const below = (count: number) => Math.floor(random() * count);
      const pick = <T>(...values: readonly [T, ...T[]]): T => values[below(values.length)] ?? values[0];
      const maybe = <T extends object>(value: T): T | object => (random() < 0.5 ? value : {});
      const counted = { true: 0, false: 0 };
      const used = (purpose: string) => ({
        modelId: pick("small", "large"),
        purpose,
        calls: 1 + below(3),
        estimatedCalls: below(2),
        inputTokens: below(90),
        cachedInputTokens: below(9),
        outputTokens: below(50),
      });
      let n = 0;
      /** The suffix of each visitor's threads: a new number after they were claimed. */
      const left = new Map<string, number>();
      const created = new Set<string>();

      for (let round = 1; round <= 8; round += 1) {
        const begun: { readonly n: number; readonly instanceId: string }[] = [];
        for (const threadId of ["t1", "t2", "t3", "t4", "t5"]) {
          if (random() < 0.2) continue;
          n += 1;
          const owner = pick(anna, anna, boris);
          const instanceId = pick("here", "here", "there");
          const { visitorId } = owner;
          const record = { ...run(n, `${threadId} ${visitorId} ${left.get(visitorId) ?? 0}`), instanceId };
          const isNew = !created.has(record.threadId);
          created.add(record.threadId);
          const options = { ...submit(below(60)), ...maybe({ cost: { modelId: "small", inputTokens: below(200) } }) };
          const fate = pick("goes on", "goes on", "goes on", "interrupted", "archived", "claimed", "followed");
          if (fate === "archived" || fate === "claimed") left.set(visitorId, n);
          const begins: boolean[] = [];
          for (const { storage } of sides) {
            if (isNew) await storage.threads.create(owner, { threadId: record.threadId, updatedAt: time(0) });
            begins.push((await storage.runs.begin(owner, record, question(n), options)).outcome === "begun");
            await storage.events.append([delta(n, 1, "Д"), delta(n, 2, "а")]);
            if (fate === "interrupted" || fate === "followed") await storage.runs.interrupt([record.runId], time(30));
            if (fate === "followed") {
              const next = { ...run(n + 1000, record.threadId), instanceId };
              await storage.runs.begin(owner, next, question(n + 1000, record.answerId), submit(31));
            }
            if (fate === "archived") await storage.threads.archive(owner, record.threadId, time(40));
            if (fate === "claimed") await storage.visitors.claim(owner, "host:7");
          }
          if (begins[0]) begun.push({ n, instanceId }, ...(fate === "followed" ? [{ n: n + 1000, instanceId }] : []));
        }
        const ends = [
          ...begun,
          ...(n > 4 ? [{ n: 1 + below(n), instanceId: "here" }] : []),
          { n: 9999, instanceId: "here" },
        ]
          .filter(() => random() < 0.85)
          .flatMap((one): readonly RunEnd[] => {
            const status = pick<MessageStatus>(
              { type: "complete" },
              { type: "incomplete", reason: "cancelled" },
              { type: "incomplete", reason: "error", error: "Не вышло", code: "failed" },
            );
            const seq = 2 + below(3);
            const tail = Array.from({ length: seq - 2 }, (_, index) => delta(one.n, 3 + index, `${index}`));
            const end: RunEnd = {
              runId: `run${one.n}`,
              answer: {
                ...answer(one.n, `Ответ ${round}`, status),
                ...maybe({ suggestions: [{ title: "Ещё", prompt: "Ещё" }] }),
              },
              at: pick(time(below(60)), "2026-11-22T00:00:01.000Z"),
              ...maybe({ log: { seq, tail, instanceId: pick(one.instanceId, "there") } }),
              ...maybe({ used: [used("answer"), ...pick([], [used("answer")])] }),
              ...maybe({ figures: { rejoins: below(4), ...maybe({ firstTokenMs: below(900) }) } }),
            };
            const again: RunEnd = { ...end, answer: answer(one.n, "Второй конец"), at: time(59) };
            return random() < 0.15 ? [end, again] : [end];
          });
        const results = [];
        for (const { endAll } of sides) results.push(await endAll(ends));
        for (const isEnded of results[0] ?? []) counted[isEnded ? "true" : "false"] += 1;
        const tables = await Promise.all(sides.map(tablesOf));
        const told = sides.map(({ ended }) => ended.splice(0).toSorted());
        for (const [index] of sides.entries()) {
          expect([round, index, results[index]]).toEqual([round, index, results[0]]);
          expect([round, index, tables[index]]).toEqual([round, index, tables[0]]);
          expect([round, index, told[index]]).toEqual([round, index, told[0]]);
        }
      }
      expect(Math.min(counted.true, counted.false)).toBeGreaterThan(5);
    },
    60_000,
  );

  describe("when the database refuses their statement", () => {
    let side: Side;
    beforeEach(async () => {
      side = await openSide({ byOne: true, atOnce: true });
      sides = [side];
      await queryPostgres(
        side.url,
        `create sequence tries;
        create function refuse() returns trigger language plpgsql as
          $$ begin if nextval('tries') <= 1 then raise exception 'refused' using errcode = '22P05'; end if; return new; end $$;
        create trigger refuse before update on nitka.run for each row execute function refuse()`,
      );
    });
    const endOf = (n: number): RunEnd => ({ runId: `run${n}`, answer: answer(n, "Да"), at: time(2) });

    it.each([1, 3])("are stored by transactions: %i of them", async (count) => {
      const all = Array.from({ length: count }, (_, index) => index + 1);
      for (const n of all) await beginIn(side.storage, `t${n}`, n);
      expect(await side.endAll(all.map(endOf))).toEqual(all.map(() => true));
      for (const n of all) expect((await runOf(side.storage, n, `t${n}`))?.status).toBe("complete");
      expect(side.ended.toSorted()).toEqual(all.map((n) => `run${n}`));
    });

    it("and their transaction too, are refused, and stored when they are retried", async () => {
      await queryPostgres(side.url, "alter sequence tries minvalue -9 restart with -9");
      await beginIn(side.storage, "t1", 1);
      await expect(side.endAll([endOf(1)])).rejects.toThrow("refused");
      expect((await runOf(side.storage, 1))?.status).toBe("running");
      await queryPostgres(side.url, "alter sequence tries restart with 2");
      expect(await side.endAll([endOf(1)])).toEqual([true]);
    });
  });
});
