import { sql } from "kysely";
import { expect, it } from "vitest";
import { bytesOf } from "../files/pieces.contract.ts";
import { conversations } from "../sql/migrations/0001-conversations.ts";
import { migrate } from "../sql/migrations/migrate.ts";
import type { Db, SqlDialect } from "../sql/sql-dialect.ts";
import type { Storage } from "../storage.ts";
import { allOf, anna, answer, delta, question, time, messagesOf } from "./fixture.contract.ts";

export interface UpgradeSubject {
  /** An empty database, of no version yet. */
  readonly db: Db;
  readonly dialect: SqlDialect;
  /** Opens the same database as a storage, when `db` is done with. */
  readonly open: () => Promise<Storage>;
}

/** A database that the first version has left, with an answer that went on. */
export function upgradeContract(prepare: () => Promise<UpgradeSubject>): void {
  it("migrates a database of the first version: its threads, files, and the log of a running answer", async () => {
    const { db, dialect, open } = await prepare();
    await migrate(db, dialect, [conversations]);
    for (const n of [1, 2]) await leaveRun(db, n, n === 1 ? "running" : "complete");
    const file = new Uint8Array(600_000).map((_, at) => at % 251);
    for (const [id, bytes] of [
      ["f1", file],
      ["f2", file.subarray(0, 3)],
    ] as const) {
      await sql`insert into attachment
        values (${id}, ${"t1"}, ${"q1"}, ${"file"}, ${"a"}, ${"x/y"}, ${bytes.length}, ${"u"}, ${time(1)}, ${bytes})`.execute(
        db,
      );
    }
    await sql`insert into instance values (${"gone"}, ${time(3)})`.execute(db);
    await db.destroy();

    const storage = await open();
    await storage.runs.interruptStale(0, time(9));
    const interrupted = { type: "incomplete", reason: "interrupted" } as const;
    expect(await messagesOf(storage, anna, "t1")).toEqual([
      { ...question(1), createdAt: time(1) },
      { ...answer(1, "Привет", interrupted), createdAt: time(1) },
    ]);
    expect((await storage.messages.find(anna, "t2", "a2"))?.status).toEqual({ type: "complete" });
    expect(await storage.events.read("run2", 0)).toEqual([]);
    expect(Buffer.compare(await bytesOf(await storage.attachments.read(anna, "f1")), file)).toBe(0);
    expect([...(await bytesOf(await storage.attachments.read(anna, "f2")))]).toEqual([0, 1, 2]);
    const room = { fileId: "f3", until: time(99), limit: null, projectLimit: 600_013 };
    expect(await storage.attachments.reserve(anna, "t1", { ...room, bytes: 11 })).toBe("project full");
    expect(await storage.attachments.reserve(anna, "t1", { ...room, bytes: 10 })).toBe("reserved");
    await allOf(storage.runs.forget(0));
    await storage.close();
  });
}

/** A thread with a question and its answer, written by hand as the first version did. */
async function leaveRun(db: Db, n: number, status: "running" | "complete"): Promise<void> {
  const [threadId, runId] = [`t${n}`, `run${n}`];
  const content = status === "running" ? "[]" : JSON.stringify(answer(n, "Ответ").content);
  const statements = [
    sql`insert into thread (thread_id, project_id, visitor_id, head_id, created_at, updated_at)
      values (${threadId}, ${anna.projectId}, ${anna.visitorId}, ${`a${n}`}, ${time(1)}, ${time(1)})`,
    sql`insert into message (thread_id, id, position, role, content, created_at)
      values (${threadId}, ${`q${n}`}, 1, 'user', ${JSON.stringify(question(n).content)}, ${time(1)})`,
    sql`insert into message (thread_id, id, position, parent_id, role, content, status, created_at)
      values (${threadId}, ${`a${n}`}, 2, ${`q${n}`}, 'assistant', ${content}, ${status}, ${time(1)})`,
    sql`insert into run (run_id, thread_id, project_id, visitor_id, question_id, answer_id, instance_id, status, position,
        started_at, ended_at)
      values (${runId}, ${threadId}, ${anna.projectId}, ${anna.visitorId}, ${`q${n}`}, ${`a${n}`}, ${"gone"}, ${status},
        2, ${time(1)}, ${status === "running" ? null : time(2)})`,
    sql`insert into run_event (run_id, seq, last_seq, data)
      values (${runId}, 1, 2, ${`${delta(n, 1, "При").data}\n${delta(n, 2, "вет").data}`})`,
  ];
  for (const statement of statements) await statement.execute(db);
}
