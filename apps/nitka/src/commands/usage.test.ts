import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgresStorage } from "@nitka/server/postgres";
import { openSqliteStorage } from "@nitka/server/sqlite";
import type { Storage } from "@nitka/server";
import { startTemporaryPostgres } from "@nitka/server/temporary-postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NOW, runInProcess } from "./command.contract.ts";

/** Stores usage: of two visitors of the shop, and of one visitor of a project that is not in the config. */
async function fill({ threads, usage }: Storage): Promise<void> {
  const used = { purpose: "answer", calls: 1, estimatedCalls: 0, cachedInputTokens: 500 };
  const add = async (projectId: string, visitorId: string, modelId: string, inputTokens: number, at: string) => {
    const threadId = `${projectId} ${visitorId} ${at}`;
    await threads.create({ projectId, visitorId }, { threadId, updatedAt: at });
    const call = { ...used, modelId, inputTokens, outputTokens: inputTokens / 10 };
    await usage.add({ projectId, visitorId }, threadId, [call], at);
  };
  await add("shop", "anna", "large", 1_200_000, NOW);
  await add("shop", "host:42\u001b[2J", "small", 9_000, "2026-11-20T12:00:00.000Z");
  await add("blog", "anna", "small", 3_000, "2026-10-23T00:00:00.000Z");
  await add("blog", "anna", "small", 70_000, "2026-10-22T23:59:59.000Z");
}

const run = (env: Readonly<Record<string, string>>, ...args: readonly string[]) => runInProcess(env, "usage", ...args);

describe("nitka usage", () => {
  const folder = mkdtempSync(join(tmpdir(), "nitka-usage-"));
  const config = join(folder, "projects.json");
  const env = { NITKA_DATA: folder, NITKA_CONFIG: config };
  const reading = `Reading SQLite in ${join(folder, "nitka.db")}.\n`;
  let server: Storage;
  beforeAll(async () => {
    writeFileSync(config, JSON.stringify({ projects: { shop: {}, quiet: {} } }));
    // It stays open, like that of a running server.
    server = await openSqliteStorage({ path: join(folder, "nitka.db") });
    await fill(server);
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("prints thirty days as a table with a total, while a server runs", async () => {
    expect(await run(env)).toEqual({
      code: 0,
      stderr: reading,
      stdout: `Tokens from 2026-10-23 to 2026-11-21 (UTC)

day         calls  estimated      input  cached   output     tokens
2026-10-23      1          0      3,000     500      300      3,300
2026-11-20      1          0      9,000     500      900      9,900
2026-11-21      1          0  1,200,000     500  120,000  1,320,000
total           3          0  1,212,000   1,500  121,200  1,333,200
`,
    });
  });

  it("prints visitors with their projects, the largest first, without control characters", async () => {
    expect((await run(env, "--by", "visitor", "--from", "2026-11-01")).stdout).toBe(
      `Tokens from 2026-11-01 to 2026-11-21 (UTC)

visitor      project  calls  estimated      input  cached   output     tokens
anna         shop         1          0  1,200,000     500  120,000  1,320,000
host:42?[2J  shop         1          0      9,000     500      900      9,900
total                     2          0  1,209,000   1,000  120,900  1,329,900
`,
    );
  });

  it("prints the rows with the most tokens, and the sum of the others", async () => {
    const { stdout } = await run(env, "--by", "visitor", "--top", "1", "--from", "2026-10-01");
    expect(stdout.split("\n").slice(3)).toEqual([
      "anna      shop         1          0  1,200,000     500  120,000  1,320,000",
      "(2 more)               3          0     82,000   1,500    8,200     90,200",
      "total                  4          0  1,282,000   2,000  128,200  1,410,200",
      "",
    ]);
  });

  it("still counts the tokens of an erased visitor for the project", async () => {
    const path = join(folder, "erased", "nitka.db");
    const storage = await openSqliteStorage({ path });
    await fill(storage);
    await storage.visitors.purge({ projectId: "shop", visitorId: "anna" });
    await storage.close();
    const args = ["--by", "visitor", "--project", "shop"];
    const { stdout } = await run({ ...env, NITKA_DATA: join(folder, "erased") }, ...args);
    expect(stdout).toBe(`Tokens in the project shop from 2026-10-23 to 2026-11-21 (UTC)

visitor      calls  estimated      input  cached   output     tokens
(erased)         1          0  1,200,000     500  120,000  1,320,000
host:42?[2J      1          0      9,000     500      900      9,900
total            2          0  1,209,000   1,000  120,900  1,329,900
`);
  });

  it("prints JSON, also for a project that is no longer configured", async () => {
    const args = ["--by", "model", "--project", "blog", "--from", "2026-10-22", "--to", "2026-10-23", "--json"];
    const counts = { calls: 2, estimatedCalls: 0, inputTokens: 73_000, cachedInputTokens: 1_000, outputTokens: 7_300 };
    const { code, stdout } = await run(env, ...args);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        from: "2026-10-22",
        to: "2026-10-23",
        by: "model",
        projectId: "blog",
        rows: [{ key: "small", ...counts }],
        total: counts,
      },
    ]);
  });

  it("refuses an unknown project", async () => {
    const stderr = `${reading}--project is "cafe": expected one of shop, quiet, blog.\n`;
    expect(await run(env, "--project", "cafe")).toEqual({ code: 2, stdout: "", stderr });
  });

  it("says that no tokens were used", async () => {
    expect(await run(env, "--project", "quiet", "--to", "2026-11-21", "--from", "2026-11-21")).toEqual({
      code: 0,
      stderr: reading,
      stdout: "No tokens were used in the project quiet from 2026-11-21 to 2026-11-21 (UTC).\n",
    });
  });

  it.each([
    [["--by", "week"], '--by is "week": expected one of day, project, model, visitor.'],
    [["--from", "2026-02-30"], '--from is "2026-02-30": expected a day (UTC), such as 2026-11-21.'],
    [["--to", "tomorrow"], '--to is "tomorrow": expected a day (UTC), such as 2026-11-21.'],
    [["--from", "2026-11-22"], '--from is "2026-11-22": expected no day after --to, 2026-11-21.'],
    [["--top", "0"], '--top is "0": expected a whole number from 1.'],
    [["--visitor", "anna"], "nitka usage does not take --visitor. `nitka --help` lists the commands and options."],
  ])("refuses %j", async (args, sentence) => {
    expect(await run(env, ...args)).toEqual({ code: 2, stdout: "", stderr: `${sentence}\n` });
  });

  it("reads Postgres too", async () => {
    const postgres = await startTemporaryPostgres();
    try {
      const url = await postgres.createDatabase();
      const storage = await openPostgresStorage({ url, instanceId: "server" });
      await fill(storage);
      const { stdout } = await run({ ...env, DATABASE_URL: url }, "--by", "project", "--from", "2026-10-01");
      await storage.close();
      expect(stdout.split("\n").slice(2)).toEqual([
        "project  calls  estimated      input  cached   output     tokens",
        "shop         2          0  1,209,000   1,000  120,900  1,329,900",
        "blog         2          0     73,000   1,000    7,300     80,300",
        "total        4          0  1,282,000   2,000  128,200  1,410,200",
        "",
      ]);
    } finally {
      await postgres.stop();
    }
  });
});
