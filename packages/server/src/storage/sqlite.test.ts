import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { crashContract } from "./contract/crash.contract.ts";
import { allOf, anna, answer, beginIn, delta, time } from "./contract/fixture.contract.ts";
import { migrateSqlite, openSqliteStorage } from "./sqlite.ts";
import { storageContract } from "./storage.contract.ts";
import { StorageUnavailableError } from "./storage.ts";

describe("SQLite", () => {
  storageContract(() => openSqliteStorage({ path: ":memory:" }));

  it("yields many times while it sums the desk's days", async () => {
    const storage = await openSqliteStorage({ path: ":memory:" });
    await beginIn(storage, "t1", 1);
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const days = await storage.desk.days({
      projectIds: [anna.projectId],
      from: time(0),
      to: "2027-01-01T00:00:00.000Z",
    });
    isOver = true;
    expect(days).toMatchObject([{ runs: 1 }]);
    expect(turns).toBeGreaterThan(24 * 14);
    await storage.close();
  });

  describe("as a file", () => {
    let folder = "";
    let path = "";
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "nitka-sqlite-"));
      path = join(folder, "made", "for it", "nitka.db");
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    it("creates its folder, and has the data when it is opened again", async () => {
      const first = await openSqliteStorage({ path });
      await first.threads.create(anna, { threadId: "t1", updatedAt: time(1) });
      await first.close();
      const second = await openSqliteStorage({ path });
      expect(await second.threads.list(anna, { limit: 9 })).toEqual([{ threadId: "t1", updatedAt: time(1) }]);
      await second.close();
    });

    it("refuses a second server on the same file, naming the first, and lets it start when the first is gone", async () => {
      const first = await openSqliteStorage({ path });
      const second = openSqliteStorage({ path });
      await expect(second).rejects.toThrow(
        new StorageUnavailableError(
          `The database ${path} is used by another server, process ${process.pid}: two servers on one file would end each ` +
            "other's answers. Stop that one, give this one a folder of its own, or use Postgres for both.",
        ),
      );
      const tool = await openSqliteStorage({ path, alone: false });
      await tool.threads.create(anna, { threadId: "t1", updatedAt: time(1) });
      await tool.close();
      await first.close();
      const third = await openSqliteStorage({ path });
      expect(await third.threads.count(anna)).toBe(1);
      await third.close();
    });

    it("is opened where the number of its process cannot be noted, as on a full disk, and then names none", async () => {
      mkdirSync(`${path}-pid`, { recursive: true });
      const first = await openSqliteStorage({ path });
      await expect(openSqliteStorage({ path })).rejects.toThrow("whose process is not known");
      await first.close();
    });

    it("interrupts the runs of an earlier server when it is opened, but none when a tool opens it", async () => {
      const first = await openSqliteStorage({ path });
      await beginIn(first, "t1", 1);
      await first.events.append([delta(1, 1, "Привет")]);
      const tool = await openSqliteStorage({ path, alone: false });
      expect(await tool.runs.countRunning(anna)).toBe(1);
      await tool.close();
      await first.close();
      const next = await openSqliteStorage({ path });
      expect(await next.runs.countRunning(anna)).toBe(0);
      expect(await next.messages.find(anna, "t1", "a1")).toMatchObject({
        content: [{ type: "text", text: "Привет" }],
        status: { type: "incomplete", reason: "interrupted" },
      });
      await next.close();
    });

    it("says what to do when its folder cannot be made", async () => {
      writeFileSync(join(folder, "file"), "");
      await expect(openSqliteStorage({ path: join(folder, "file", "nitka.db") })).rejects.toThrow(
        new StorageUnavailableError(
          `The folder ${join(folder, "file")} of the database cannot be created: let this process write there, or name another folder.`,
        ),
      );
    });

    it("says what to do when the file is not an SQLite database", async () => {
      path = join(folder, "letter.txt");
      writeFileSync(path, "Dear diary, ".repeat(100));
      await expect(openSqliteStorage({ path })).rejects.toThrow(
        new StorageUnavailableError(`The database ${path} is not an SQLite database: name another file.`),
      );
    });

    it("says what to do when the path is a folder", async () => {
      await expect(openSqliteStorage({ path: folder })).rejects.toThrow(
        new StorageUnavailableError(
          `The database ${folder} cannot be opened: let this process read and write the file and its folder.`,
        ),
      );
    });

    it("says what to do when another process keeps it locked, and works again afterwards", async () => {
      const storage = await openSqliteStorage({ path });
      const other = new DatabaseSync(path);
      other.exec("begin exclusive");
      await expect(storage.threads.create(anna, { threadId: "t1", updatedAt: time(1) })).rejects.toThrow(
        new StorageUnavailableError(
          `The database ${path} is locked by another process: end that process, or give each server its own database.`,
        ),
      );
      other.exec("rollback");
      other.close();
      await storage.threads.create(anna, { threadId: "t1", updatedAt: time(1) });
      expect(await storage.threads.count(anna)).toBe(1);
      await storage.close();
    });

    it("migrates nothing with migrate: false, and uses a schema that was migrated before", async () => {
      await expect(openSqliteStorage({ path, migrate: false })).rejects.toThrow(
        /^The database's schema is version 0, and this version of Nitka needs version \d+\./,
      );
      expect(await migrateSqlite({ path })).toEqual(["first version"]);
      expect(await migrateSqlite({ path })).toEqual([]);
      const storage = await openSqliteStorage({ path, migrate: false });
      await expect(migrateSqlite({ path })).rejects.toThrow("is used by another server");
      expect(await storage.threads.count(anna)).toBe(0);
      await storage.close();
    });

    it("refuses a database that a later version has used", async () => {
      await (await openSqliteStorage({ path })).close();
      const later = new DatabaseSync(path);
      later.exec("update schema_version set version = 999, oldest_program = 999");
      later.close();
      await expect(openSqliteStorage({ path })).rejects.toThrow(
        /^The database's schema is version 999, and this version of Nitka supports versions up to \d+\. A later version has migrated it: /,
      );
    });

    it("drops the logs of ended runs, and no others", async () => {
      const storage = await openSqliteStorage({ path });
      for (let n = 1; n <= 60; n += 1) {
        await beginIn(storage, `t${n}`, n);
        await storage.events.append([delta(n, 1, "a")]);
        if (n !== 7) await storage.runs.end(`run${n}`, answer(n, "a"), time(2));
      }
      await allOf(storage.runs.forget(0));
      const logs = await Promise.all(Array.from({ length: 60 }, (_, n) => storage.events.read(`run${n + 1}`, 0)));
      expect(logs.flat()).toEqual([delta(7, 1, "a")]);
      await storage.close();
    });

    it("drops the threads after one that cannot be dropped, and that one later", async () => {
      const storage = await openSqliteStorage({ path });
      const threadIds = Array.from({ length: 50 }, (_, n) => `t${n + 10}`);
      for (const threadId of threadIds) await storage.threads.create(anna, { threadId, updatedAt: time(1) });
      const broken = new DatabaseSync(path);
      broken.exec(`create trigger broken before delete on thread when old.thread_id in ('t10', 't33')
        begin select raise(abort, 'not this one'); end`);
      const expire = () => allOf(storage.visitors.expire(anna.projectId, time(2)));
      await expect(expire()).rejects.toThrow("2 could not be dropped");
      expect((await storage.threads.list(anna, { limit: 200 })).map(({ threadId }) => threadId)).toEqual([
        "t33",
        "t10",
      ]);
      broken.exec("drop trigger broken");
      broken.close();
      expect(await expire()).toBe(2);
      await storage.close();
    });

    crashContract(() =>
      Promise.resolve({
        target: path,
        open: () => openSqliteStorage({ path }),
        check: () => {
          const database = new DatabaseSync(path);
          const findings = ["integrity_check", "foreign_key_check"].flatMap((name) =>
            database.prepare(`pragma ${name}`).all(),
          );
          database.close();
          return findings.filter((finding) => finding["integrity_check"] !== "ok");
        },
      }),
    );
  });
});
