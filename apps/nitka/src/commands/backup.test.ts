import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runInProcess } from "./command.contract.ts";

let folder = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "nitka-backup-"));
  await runInProcess({ NITKA_DATA: folder }, "migrate");
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

it("a backup copies the database, and says what is wrong with a file that it cannot write", async () => {
  const file = join(folder, "copy.db");
  const reading = `Reading SQLite in ${join(folder, "nitka.db")}.\n`;
  const nowhere = join(folder, "none", "copy.db");
  const backup = (...args: readonly string[]) => runInProcess({ NITKA_DATA: folder }, "backup", ...args);
  expect(await backup("--to", file)).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^SQLite in .*nitka\.db is copied to .*copy\.db: \d+ bytes\.\n$/) as unknown,
    stderr: reading,
  });
  const refusals = [
    [["--to", file], 1, `${reading}--to is ${file}, which already exists: expected a file that does not exist.\n`],
    [
      ["--to", nowhere],
      1,
      `${reading}--to is ${nowhere}, in a folder that does not exist: make the folder, or name another one.\n`,
    ],
    [[], 2, "nitka backup needs --to <file>, the file to write.\n"],
  ] as const;
  for (const [args, code, stderr] of refusals) expect(await backup(...args)).toEqual({ code, stdout: "", stderr });
});

it("a backup exits with 2 when there is no database, and creates none", async () => {
  const data = join(folder, "elsewhere");
  expect(await runInProcess({ NITKA_DATA: data }, "backup", "--to", join(folder, "none.db"))).toEqual({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining(`There is no database: SQLite in ${join(data, "nitka.db")} has none.`) as unknown,
  });
  expect([existsSync(data), existsSync(join(folder, "none.db"))]).toEqual([false, false]);
});

it("a backup leaves Postgres to pg_dump, and does not print the password", async () => {
  const env = { NITKA_DATA: folder, DATABASE_URL: "postgres://nitka:hidden@db.example/chat" };
  expect(await runInProcess(env, "backup", "--to", join(folder, "other.db"))).toEqual({
    code: 1,
    stdout: "",
    stderr: "nitka backup copies only SQLite, but the database is Postgres at db.example/chat: use pg_dump.\n",
  });
});
