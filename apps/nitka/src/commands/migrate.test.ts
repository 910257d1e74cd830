import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTemporaryPostgres } from "@nitka/server/temporary-postgres";
import { afterAll, describe, expect, it } from "vitest";
import { runInProcess } from "./command.contract.ts";

describe("nitka migrate", () => {
  const folder = mkdtempSync(join(tmpdir(), "nitka-migrate-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const databases = {
    SQLite: () => ({ env: {}, where: `SQLite in ${join(folder, "nitka.db")}`, stop: () => Promise.resolve() }),
    Postgres: async () => {
      const postgres = await startTemporaryPostgres();
      const url = await postgres.createDatabase();
      const { host, pathname } = new URL(url);
      return { env: { DATABASE_URL: url }, where: `Postgres at ${host}${pathname}`, stop: () => postgres.stop() };
    },
  } as const;

  it.each(["SQLite", "Postgres"] as const)(
    "migrates %s and names the steps; neither a command beside the server nor a start with NITKA_MIGRATE=off does this",
    async (name) => {
      const { env, where, stop } = await databases[name]();
      const off = { ...env, NITKA_DATA: folder, NITKA_MIGRATE: "off", PORT: "0", LOG_LEVEL: "silent" };
      try {
        const refusal = expect.stringMatching(
          /^The database's schema is version 0, and this version of Nitka needs version \d+\. Bring it up to date with `nitka migrate`, or let the program do so when it starts\.\n$/,
        );
        expect(await runInProcess(off)).toEqual({ code: 1, stdout: "", stderr: refusal });
        const none = `There is no database: ${where} has none. Set NITKA_DATA or DATABASE_URL to the server's values; its first start creates the database.\n`;
        for (const args of [["usage"], ["export", "--visitor", "anna"], ["purge", "--visitor", "anna"]]) {
          for (const NITKA_MIGRATE of ["on", "off"]) {
            const outcome = await runInProcess({ ...off, NITKA_MIGRATE }, ...args);
            expect([args, outcome]).toEqual([args, { code: 2, stdout: "", stderr: none }]);
          }
        }
        const migrated = await runInProcess(off, "migrate");
        expect([migrated.code, migrated.stderr]).toEqual([0, ""]);
        expect(migrated.stdout).toBe(`The schema of ${where} is up to date. Steps taken:\n  first version\n`);
        expect(await runInProcess(off, "migrate")).toEqual({
          code: 0,
          stdout: `Nothing to do: the schema of ${where} is up to date.\n`,
          stderr: "",
        });
        expect(await runInProcess(off, "purge", "--visitor", "anna")).toEqual({
          code: 0,
          stdout:
            "No thread of the visitor anna is stored in the project default. The consent and the token counts of this id, if any, are deleted.\n",
          stderr: `Deleting from ${where}.\n`,
        });
      } finally {
        await stop();
      }
    },
  );

  it("accepts only on or off", async () => {
    expect(await runInProcess({ NITKA_MIGRATE: "no" }, "check")).toEqual({
      code: 1,
      stdout: "",
      stderr: '✗ NITKA_MIGRATE is "no": expected on or off.\n',
    });
  });
});
