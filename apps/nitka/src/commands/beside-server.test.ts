/**
 * The commands that run beside the server, when the database does not exist, is unreachable, or has another version's
 * schema.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { startTemporaryPostgres } from "@nitka/server/temporary-postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runInProcess } from "./command.contract.ts";

const commands = [
  ["usage"],
  ["feedback"],
  ["export", "--visitor", "anna"],
  ["purge", "--visitor", "anna"],
  ["knowledge", "unanswered"],
  ["knowledge", "close", "1"],
] as const;

/** Below every version that has existed: this program may know only the first. */
const EARLIER = -1;

type Env = Readonly<Record<string, string>>;

let root = "";
let postgres: Awaited<ReturnType<typeof startTemporaryPostgres>>;
let config = "";
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "nitka-beside-"));
  config = join(root, "projects.json");
  const knowledge = { sources: [{ pages: ["https://shop.example/delivery"] }] };
  writeFileSync(config, JSON.stringify({ projects: { default: { knowledge } } }));
  postgres = await startTemporaryPostgres();
});
afterAll(async () => {
  await postgres.stop();
  rmSync(root, { recursive: true, force: true });
});

const run = (env: Env, ...args: readonly string[]) => runInProcess({ NITKA_CONFIG: config, ...env }, ...args);

function newFolder(name: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  return folder;
}

async function sqliteOfVersion(version: number): Promise<Env> {
  const folder = newFolder(`version-${version}`);
  const env = { NITKA_DATA: folder };
  await run(env, "migrate");
  const database = new DatabaseSync(join(folder, "nitka.db"));
  database.exec(`update schema_version set version = ${version}, oldest_program = ${version}`);
  database.close();
  return env;
}

async function postgresOfVersion(version: number): Promise<Env> {
  const env = { DATABASE_URL: await postgres.createDatabase() };
  await run(env, "migrate");
  await postgres.query(
    env.DATABASE_URL,
    `update nitka.schema_version set version = ${version}, oldest_program = ${version}`,
  );
  return env;
}

const none =
  /^There is no database: (SQLite in|Postgres at) .+ has none\. Set NITKA_DATA or DATABASE_URL to the server's values; (its first start creates the database|the server does not create it)\.\n$/;

const dataThatIsAFile = () => {
  const file = join(root, "file");
  writeFileSync(file, "");
  return { NITKA_DATA: file };
};

const states: readonly (readonly [state: string, code: number, sentence: RegExp, env: () => Promise<Env> | Env])[] = [
  ["no folder", 2, none, () => ({ NITKA_DATA: join(root, "nowhere", "data") })],
  ["a folder without a database", 2, none, () => ({ NITKA_DATA: newFolder("empty") })],
  ["a Postgres database without tables", 2, none, async () => ({ DATABASE_URL: await postgres.createDatabase() })],
  [
    "a Postgres database that there is not",
    2,
    none,
    async () => ({ DATABASE_URL: (await postgres.createDatabase()).replace(/[^/]+$/, "no_such_database") }),
  ],
  [
    "a data folder that is a file",
    1,
    /^The database .*nitka\.db cannot be read \(ENOTDIR\): NITKA_DATA is not a folder\./,
    dataThatIsAFile,
  ],
  [
    "a file that is no database",
    1,
    /^The database .*nitka\.db is not an SQLite database: name another file\.\n$/,
    () => {
      const folder = newFolder("other");
      writeFileSync(join(folder, "nitka.db"), "This is a letter to a friend, not a database. ".repeat(100));
      return { NITKA_DATA: folder };
    },
  ],
  [
    "a Postgres that cannot be reached",
    1,
    /^The Postgres database at 127\.0\.0\.1:1\/chat cannot be used/,
    () => ({ DATABASE_URL: "postgres://nitka:hunter2@127.0.0.1:1/chat" }),
  ],
  ...(["SQLite", "Postgres"] as const).flatMap((name) => {
    const ofVersion = name === "SQLite" ? sqliteOfVersion : postgresOfVersion;
    return [
      [
        `${name} of an earlier version`,
        1,
        /^The database's schema is version -1, and this version of Nitka needs version \d+\. Bring it up to date with `nitka migrate`/,
        () => ofVersion(EARLIER),
      ],
      [
        `${name} of a later version`,
        1,
        /^The database's schema is version 999, and this version of Nitka supports versions up to \d+\. A later version has migrated it/,
        () => ofVersion(999),
      ],
    ] as const;
  }),
];

/** The output of `nitka check --online`, its exit code, and its exit code when migrations are forbidden. */
const checked: Readonly<Record<string, readonly [sentence: RegExp, code: number, codeWithoutMigration: number]>> = {
  "no folder": [/^! SQLite in .* has no database yet\. The first start creates it\.$/m, 0, 1],
  "a folder without a database": [/^! SQLite in .* has no database yet\. The first start creates it\.$/m, 0, 1],
  "a Postgres database without tables": [
    /^! Postgres at .* has no database yet\. The first start creates it\.$/m,
    0,
    1,
  ],
  "a Postgres database that there is not": [
    /^✗ There is no database: Postgres at .* the server does not create it\.$/m,
    1,
    1,
  ],
  "a data folder that is a file": [/^✗ The database .* cannot be read \(ENOTDIR\)/m, 1, 1],
  "a file that is no database": [/^✗ The database .* is not an SQLite database/m, 1, 1],
  "a Postgres that cannot be reached": [/^✗ The Postgres database at 127\.0\.0\.1:1\/chat cannot be used/m, 1, 1],
  "SQLite of an earlier version": [
    /^! SQLite in .* has the schema of an earlier version\. The next start migrates it\.$/m,
    0,
    1,
  ],
  "SQLite of a later version": [/^✗ The database's schema is version 999/m, 1, 1],
  "Postgres of an earlier version": [/^! Postgres at .* has the schema of an earlier version/m, 0, 1],
  "Postgres of a later version": [/^✗ The database's schema is version 999/m, 1, 1],
};

describe("a command beside the server", () => {
  it.each(states)("reports %s, and exits with %i", async (state, code, sentence, envOf) => {
    const env = await envOf();
    const [line, online, withoutMigration] = checked[state] ?? [/^never$/, 0, 0];
    const asked = await run(env, "check", "--online");
    expect([state, asked]).toEqual([
      state,
      { code: online, stdout: expect.stringMatching(line) as string, stderr: "" },
    ]);
    expect(asked.stdout).not.toContain("hunter2");
    expect((await run({ ...env, NITKA_MIGRATE: "off" }, "check", "--online")).code).toBe(withoutMigration);
    for (const args of commands) {
      const ended = await run(env, ...args);
      expect([args, ended]).toEqual([args, { code, stdout: "", stderr: expect.stringMatching(sentence) as string }]);
      expect(ended.stderr).not.toContain("hunter2");
    }
  });

  it("that works with pages says that their database cannot be used, and ends with 1", async () => {
    const folder = newFolder("pages");
    mkdirSync(join(folder, "knowledge.db"));
    const url = "postgres://nitka:hunter2@127.0.0.1:1/chat";
    const missing = (await postgres.createDatabase()).replace(/[^/]+$/, "no_such_database");
    for (const args of [["ingest"], ["search", "delivery"], ["knowledge"]]) {
      for (const [env, code, sentence] of [
        [{ NITKA_DATA: folder }, 1, /^SQLite in .*knowledge\.db cannot be used: unable to open database file\. Let /m],
        [{ DATABASE_URL: url }, 1, /^Postgres at 127\.0\.0\.1:1\/chat cannot be used: .*ECONNREFUSED.*\. Does /m],
        [{ DATABASE_URL: missing }, 2, /^There is no database: Postgres at .* the server does not create it/m],
      ] as const) {
        const ended = await run(env, ...args);
        expect([args, ended]).toEqual([args, { code, stdout: "", stderr: expect.stringMatching(sentence) as string }]);
        expect(ended.stderr).not.toContain("hunter2");
      }
    }
  });

  it("creates nothing when there is no database", async () => {
    const folder = newFolder("untouched");
    const url = await postgres.createDatabase();
    for (const env of [{ NITKA_DATA: folder }, { DATABASE_URL: url }]) await run(env, "check", "--online");
    for (const args of commands) {
      expect((await run({ NITKA_DATA: folder }, ...args)).code).toBe(2);
      expect((await run({ DATABASE_URL: url }, ...args)).code).toBe(2);
    }
    expect((await run({ NITKA_DATA: folder }, "backup", "--to", join(root, "never.db"))).code).toBe(2);
    expect([readdirSync(folder), existsSync(join(root, "never.db"))]).toEqual([[], false]);
    expect(await postgres.query(url, "select nspname from pg_namespace where nspname like 'nitka%'")).toEqual([]);
  });

  it("prints on standard error which database it reads", async () => {
    const folder = newFolder("full");
    const url = await postgres.createDatabase();
    const { host, pathname } = new URL(url);
    for (const [env, place] of [
      [{ NITKA_DATA: folder }, `SQLite in ${join(folder, "nitka.db")}`],
      [{ DATABASE_URL: url }, `Postgres at ${host}${pathname}`],
    ] as const) {
      await run(env, "migrate");
      expect((await run(env, "check", "--online")).stdout).toContain(`✓ ${place} answers.\n`);
      const { code, stdout, stderr } = await run(env, "export", "--visitor", "anna");
      expect([code, JSON.parse(stdout), stderr]).toEqual([
        0,
        expect.objectContaining({ threads: [] }),
        `Reading ${place}.\n`,
      ]);
    }
    const target = join(root, "copy.db");
    const backup = await run({ NITKA_DATA: folder }, "backup", "--to", target);
    expect([backup.code, backup.stderr]).toEqual([0, `Reading SQLite in ${join(folder, "nitka.db")}.\n`]);
  });
});
