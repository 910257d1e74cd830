import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { copySqlite } from "./sqlite-copy.ts";
import { migrateSqlite } from "../sqlite.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "nitka-copy-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it("a copy has what is committed, while a server is writing, and is readable only by the owner", async () => {
  const path = join(folder, "nitka.db");
  await migrateSqlite({ path });
  const writer = new DatabaseSync(path);
  writer.exec("create table note (text); insert into note values ('committed')");
  writer.exec("begin immediate; insert into note values ('not committed')");
  const target = join(folder, "copy.db");
  const bytes = copySqlite(path, target);
  writer.exec("rollback");
  writer.close();
  expect(bytes).toBe(statSync(target).size);
  // Windows has no rights of others, and reports that everyone may read.
  expect(statSync(target).mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o600);
  const copy = new DatabaseSync(target);
  expect(copy.prepare("select text from note").all()).toMatchObject([{ text: "committed" }]);
  // 2 is `incremental`, without which a restored database would not return space to the file system.
  expect(copy.prepare("pragma auto_vacuum").get()).toMatchObject({ auto_vacuum: 2 });
  copy.close();
});

it("a copy overwrites nothing, and leaves nothing behind when it fails", () => {
  const target = join(folder, "copy.db");
  expect(() => copySqlite(join(folder, "none.db"), target)).toThrow(/none\.db cannot be opened/);
  const damaged = join(folder, "damaged.db");
  writeFileSync(damaged, "x".repeat(10_000));
  expect(() => copySqlite(damaged, target)).toThrow(/damaged\.db is not an SQLite database/);
  expect(existsSync(target)).toBe(false);
  writeFileSync(target, "mine");
  new DatabaseSync(join(folder, "nitka.db")).close();
  expect(() => copySqlite(join(folder, "nitka.db"), target)).toThrow(/EEXIST/);
});
