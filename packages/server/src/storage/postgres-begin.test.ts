import type { MessageStatus } from "@nitka/protocol";
import { Kysely, PostgresDialect } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { anna, answer, boris, run, time } from "./contract/fixture.contract.ts";
import { postgresForFile } from "./contract/postgres-for-file.contract.ts";
import { queryPostgres } from "./contract/query-postgres.contract.ts";
import { seeded } from "./contract/seeded.contract.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { createPostgresPool, POSTGRES_SCHEMA } from "./postgres-pool.ts";
import { openPostgresStorage } from "./postgres.ts";
import { createRunBegins } from "./sql/runs/begin-run.ts";
import type { Schema } from "./sql/schema.ts";
import type { BeginOptions, Storage } from "./storage.ts";

/** One database, and how runs begin in it. */
interface Side {
  readonly url: string;
  readonly storage: Storage;
  readonly begin: ReturnType<typeof createRunBegins>;
  readonly close: () => Promise<void>;
}

describe("A question that begins by one statement", () => {
  const postgres = postgresForFile();
  let sides: readonly Side[] = [];

  async function openSide(atOnce: boolean): Promise<Side> {
    const url = await postgres.current.createDatabase();
    const storage = await openPostgresStorage({ url, instanceId: "here", connections: 2 });
    const pool = createPostgresPool({ url, size: 1 });
    const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }).withSchema(POSTGRES_SCHEMA);
    // A dialect without concurrent transactions has no special statement for a question.
    const begin = createRunBegins(db, { ...postgresDialect, concurrent: atOnce });
    const close = async () => {
      await storage.close();
      await db.destroy();
    };
    return { url, storage, begin, close };
  }

  beforeEach(async () => {
    sides = [await openSide(true), await openSide(false)];
  });
  afterEach(async () => {
    for (const { close } of sides) await close();
  });

  /** Everything that a question may change, without the database's own times. */
  async function tablesOf({ url }: Side): Promise<unknown> {
    const [rows] = (await queryPostgres(
      url,
      `select (select json_agg(to_jsonb(thread) order by thread_id) from nitka.thread) as threads,
        (select json_agg(to_jsonb(message) order by thread_id, position) from nitka.message) as messages,
        (select json_agg(to_jsonb(run) - 'begun_ms' - 'ended_ms' - 'log_slot' order by run_id) from nitka.run) as runs`,
    )) as [unknown];
    return rows;
  }

  it.each(process.env["NITKA_THOROUGH"] === undefined ? [1] : [1, 2, 3])(
    "leaves the same data as the transaction, from any state, with the same outcome: seed %i",
    async (seed) => {
      const random = seeded(seed);
      const below = (count: number) => Math.floor(random() * count);
      const pick = <T>(...values: readonly [T, ...T[]]): T => values[below(values.length)] ?? values[0];
      const outcomes = new Map<string, number>();

      for (let n = 1; n <= 120; n += 1) {
        const owner = pick(anna, anna, boris);
        const threadId = `t${below(4)}`;
        const step = pick("thread", "ask", "ask", "ask", "ask", "ask", "end", "end", "archive", "claim");
        const past = below(n);
        const options: BeginOptions = {
          regenerate: random() < 0.15,
          at: time(below(60)),
          limit: pick(null, null, 1, 3),
          ...pick({}, { cost: { modelId: "small", inputTokens: below(200) } }),
          ...pick({}, {}, { budget: { visitorTokens: pick(null, 300), projectTokens: pick(null, 500) } }),
        };
        const question = {
          id: pick(`q${n}`, `q${n}`, `q${n}`, `q${past}`, `a${past}`),
          role: "user" as const,
          content: `Вопрос ${n}`,
          parentId: pick(null, null, `a${past}`, `q${past}`, "nothing"),
        };
        const record = {
          ...run(n, threadId),
          questionId: question.id,
          answerId: pick(`a${n}`, `a${n}`, `a${n}`, `a${past}`, question.id),
        };
        const status = pick<MessageStatus>({ type: "complete" }, { type: "incomplete", reason: "cancelled" });
        const results = [];
        for (const { storage, begin } of sides) {
          if (step === "thread") await storage.threads.create(owner, { threadId: `t${n}`, updatedAt: time(0) });
          if (n <= 4) await storage.threads.create(anna, { threadId: `t${n - 1}`, updatedAt: time(0) });
          if (step === "archive" && past % 5 === 0) await storage.threads.archive(owner, threadId, time(60));
          if (step === "claim" && past % 9 === 0) await storage.visitors.claim(boris, anna.visitorId);
          if (step === "end") await storage.runs.end(`run${past}`, { ...answer(past, "Ответ"), status }, time(61));
          if (step === "ask") results.push(await begin({ owner, run: record, question }, options));
        }
        const [one, other] = results;
        expect([n, one]).toEqual([n, other]);
        if (one) outcomes.set(one.outcome, (outcomes.get(one.outcome) ?? 0) + 1);
        const [left, right] = await Promise.all(sides.map(tablesOf));
        expect([n, left]).toEqual([n, right]);
      }
      expect([...outcomes.keys()]).toEqual(expect.arrayContaining(["begun", "busy", "missing"]));
    },
  );
});
