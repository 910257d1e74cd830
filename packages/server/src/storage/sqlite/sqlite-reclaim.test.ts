import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../test-waits/eventually.contract.ts";
import { allOf, anna, answer, delta, keep, question, run, submit, time } from "../contract/fixture.contract.ts";
import { openSqliteStorage } from "../sqlite.ts";
import type { Storage } from "../storage.ts";

const SECRET = "Я люблю зелёный чай";

describe("a SQLite file", () => {
  let folder = "";
  let path = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "nitka-reclaim-"));
    path = join(folder, "nitka.db");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const holds = (text: string) => [path, `${path}-wal`].filter((file) => readFileSync(file).includes(text));

  /** Writes the secret in every possible place, in small and in large texts. */
  async function confide(storage: Storage): Promise<void> {
    const { threads, runs, events } = storage;
    await threads.create(anna, { threadId: "t1", title: SECRET, updatedAt: time(0) });
    const picture = {
      id: "f1",
      type: "file",
      name: `${SECRET}.txt`,
      contentType: "text/plain",
      size: 1,
      url: "",
    } as const;
    await keep(storage, anna, "t1", picture, Buffer.from(SECRET.repeat(50_000)), time(1));
    await runs.begin(anna, run(1), { ...question(1), content: SECRET }, submit(2));
    await events.append([delta(1, 1, SECRET), delta(1, 2, SECRET.repeat(1_000))]);
    await runs.checkpoint("run1", answer(1, SECRET.repeat(2_000)), 2);
    await runs.end("run1", answer(1, SECRET.repeat(1_000)), time(4));
  }

  it("has no data of a purged visitor, even in its write-ahead log, and returns the space", async () => {
    const storage = await openSqliteStorage({ path });
    await storage.threads.create(
      { ...anna, visitorId: "boris" },
      { threadId: "t2", title: "Борис", updatedAt: time(0) },
    );
    await confide(storage);
    expect(holds(SECRET)).not.toEqual([]);
    await storage.visitors.purge(anna);
    expect(holds(SECRET)).toEqual([]);
    expect(holds("Борис")).toEqual([path]);
    await storage.reclaim("space");
    expect(statSync(path).size).toBeLessThan(300_000);
    await storage.close();
  });

  it("has no data of expired threads once their space is reclaimed", async () => {
    const storage = await openSqliteStorage({ path });
    await confide(storage);
    await storage.threads.archive(anna, "t1", time(5));
    expect(await allOf(storage.visitors.expireArchived(anna.projectId, time(6)))).toBe(1);
    await allOf(storage.attachments.sweep(time(6)));
    await storage.reclaim("space");
    expect(holds(SECRET)).toEqual([]);
    await storage.close();
  });

  it("reports that another process still reads erased data, and removes them once that process has ended", async () => {
    const storage = await openSqliteStorage({ path });
    await confide(storage);
    const backup = new DatabaseSync(path);
    backup.exec("begin; select * from thread");
    expect(await storage.visitors.purge(anna)).toBe(1);
    expect(await storage.reclaim("text")).toBe(false);
    expect(holds(SECRET)).not.toEqual([]);
    backup.exec("commit");
    backup.close();
    await eventually(() => expect(holds(SECRET)).toEqual([]));
    expect(await storage.reclaim("text")).toBe(true);
    await storage.close();
  });

  it("is emptied of erased data when another process reads it for a moment", async () => {
    const storage = await openSqliteStorage({ path });
    await confide(storage);
    const backup = new DatabaseSync(path);
    backup.exec("begin; select * from thread");
    const purged = storage.visitors.purge(anna);
    setTimeout(() => backup.close(), 100);
    expect(await purged).toBe(1);
    expect(holds(SECRET)).toEqual([]);
    await storage.close();
  });

  it("is reclaimed while others write", async () => {
    const storage = await openSqliteStorage({ path });
    await confide(storage);
    const work = Array.from({ length: 20 }, async (_, n) => {
      const threadId = `many${n}`;
      await storage.threads.create(anna, { threadId, updatedAt: time(0) });
      await storage.runs.begin(anna, run(n + 10, threadId), question(n + 10), submit(2));
    });
    await Promise.all([storage.visitors.purge(anna), ...work]);
    expect(holds(SECRET)).toEqual([]);
    await storage.close();
  });
});
