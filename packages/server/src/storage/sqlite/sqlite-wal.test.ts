import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kysely, SqliteDialect } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { anna, answer, delta, keep, question, run, submit, time } from "../contract/fixture.contract.ts";
import { migrate } from "../sql/migrations/migrate.ts";
import type { Schema } from "../sql/schema.ts";
import { silentBus } from "../sql/signals/signal-bus.ts";
import { createSqlStorage } from "../sql/sql-storage.ts";
import { openSqliteDatabase } from "../sqlite-database.ts";
import { createSqliteDialect } from "../sqlite-dialect.ts";
import { openSqliteWal } from "./sqlite-wal.ts";
import { silentStorageLog, StorageUnavailableError } from "../storage.ts";

describe("SQLite's log", () => {
  let folder = "";
  let path = "";
  let db: Kysely<Schema>;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "nitka-sqlite-"));
    path = join(folder, "nitka.db");
    db = new Kysely({ dialect: new SqliteDialect({ database: openSqliteDatabase({ path }) }) });
    await migrate(
      db,
      createSqliteDialect(() => Promise.resolve()),
    );
  });
  afterEach(async () => {
    await db.destroy();
    rmSync(folder, { recursive: true });
  });

  it("is synced once for all commits during a sync, and again for later ones", async () => {
    const wal = await openSqliteWal(path);
    const first = wal.sync();
    const second = wal.sync();
    expect(second).not.toBe(first);
    expect(wal.sync()).toBe(second);
    await second;
    const later = wal.sync();
    expect(later).not.toBe(second);
    await later;
    await wal.close();
  });

  it("names the disk when the sync fails", async () => {
    const wal = await openSqliteWal(path);
    await wal.close();
    await expect(wal.sync()).rejects.toThrow(
      new StorageUnavailableError(`The database ${path} cannot be written: check the disk.`),
    );
  });

  it("is synced for visitors' writes and ends of answers, but not for events of running answers", async () => {
    let waits = 0;
    const sync = () => {
      waits += 1;
      return Promise.resolve();
    };
    const close = () => Promise.resolve();
    const storage = createSqlStorage({
      db,
      log: db,
      pulse: db,
      desk: db,
      dialect: createSqliteDialect(sync),
      bus: silentBus,
      logger: silentStorageLog,
      close,
    });
    const { threads, runs, events, visitors } = storage;
    const counted: [string, number][] = [];
    const count = async (name: string, work: Promise<unknown>) => {
      const before = waits;
      await work;
      counted.push([name, waits - before]);
    };
    const file = { id: "f1", type: "file", name: "a", contentType: "x/y", size: 1, url: "u" } as const;
    await count("create", threads.create(anna, { threadId: "t1", updatedAt: time(0) }));
    await count("upload", keep(storage, anna, "t1", file, Uint8Array.of(1), time(0)));
    await count("begin", runs.begin(anna, run(1), question(1), submit(1)));
    await count("append", events.append([delta(1, 1, "a")]));
    await count("checkpoint", runs.checkpoint("run1", answer(1, "a", { type: "running" }), 1));
    await count("end", runs.end("run1", answer(1, "a"), time(3)));
    await count("rename", threads.rename(anna, "t1", "Тема", "visitor"));
    await count("head", threads.setHead(anna, "t1", "a1"));
    await count("archive", threads.archive(anna, "t1", time(4)));
    await count("purge", visitors.purge(anna));
    await storage.close();
    expect(counted).toEqual([
      ["create", 1],
      ["upload", 2],
      ["begin", 1],
      ["append", 0],
      ["checkpoint", 0],
      ["end", 1],
      ["rename", 1],
      ["head", 1],
      ["archive", 1],
      ["purge", 2],
    ]);
  });
});
