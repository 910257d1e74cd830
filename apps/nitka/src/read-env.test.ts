import { describe, expect, it } from "vitest";
import { settings } from "./env.ts";
import { readEnv } from "./read-env.ts";
import { helpText } from "./run-command.ts";
import { SettingsError } from "./config/settings-error.ts";

describe("readEnv", () => {
  it("has a default for every required setting, and treats an empty value as unset", () => {
    const defaults = {
      PORT: 3000,
      NITKA_DATABASE_CONNECTIONS: 10,
      HOST: "localhost",
      NITKA_DATA: "./data",
      AWS_REGION: "us-east-1",
      NITKA_MAX_RUNS: 250,
      NITKA_MAX_BUFFERED_BYTES: 256_000_000,
      NITKA_MIGRATE: "on",
      NITKA_PAGES: "on",
      NITKA_WEBHOOKS: "on",
      NITKA_OPS_HOST: "127.0.0.1",
      NITKA_ARCHIVE_DAYS: 30,
      NITKA_TRUSTED_PROXIES: 0,
      NITKA_DRAIN_SECONDS: 5,
      NITKA_GRACE_SECONDS: 30,
      NITKA_DEMO_SPEED: 1,
      LOG_LEVEL: "info",
    };
    expect(readEnv({})).toEqual(defaults);
    expect(readEnv({ PORT: "", NITKA_SECRET: " ", OPENAI_BASE_URL: "" })).toEqual(defaults);
  });

  it("reads the values that are set", () => {
    const env = {
      PORT: "0",
      HOST: "0.0.0.0",
      NITKA_DATA: "/var/lib/nitka",
      DATABASE_URL: "postgres://nitka:secret@db/nitka",
      OPENAI_BASE_URL: "http://localhost:11434/v1",
      NITKA_MODEL: "llama3.2:3b",
      NITKA_ARCHIVE_DAYS: "7",
      NITKA_RETENTION_DAYS: "0",
      LOG_LEVEL: "warn",
    };
    expect(readEnv(env)).toMatchObject({ ...env, PORT: 0, NITKA_ARCHIVE_DAYS: 7, NITKA_RETENTION_DAYS: 0 });
  });

  it("reads the desk's operators, one of whom may have two keys", () => {
    const given = "anna:key-of-anna-the-first, Борис К.: a:key-with:colons ,anna:key-of-anna-the-second";
    expect(readEnv({ NITKA_DESK_KEYS: given }).NITKA_DESK_KEYS).toEqual([
      { name: "anna", key: "key-of-anna-the-first" },
      { name: "Борис К.", key: "a:key-with:colons" },
      { name: "anna", key: "key-of-anna-the-second" },
    ]);
  });

  it.each([
    ["hunter2-hunter2-hunter2", "entry 1 has no colon"],
    ["anna:hunter2-hunter2-hunter2,", "entry 2 has no colon"],
    ["anna:hunter2", "entry 1 has a key of 7 characters"],
    [":hunter2-hunter2-hunter2", "entry 1 needs a name of letters, digits, spaces and . _ - before its colon"],
    ["anna:hunter2-hunter2-hunter2,boris:hunter2-hunter2-hunter2", "entry 2 has the same key as entry 1"],
    [
      "a/b:hunter2-hunter2-hunter2,anna",
      "entry 1 needs a name of letters, digits, spaces and . _ - before its colon; entry 2 has no colon",
    ],
  ])("describes invalid desk keys %s without showing them", (NITKA_DESK_KEYS, problem) => {
    expect(problemsOf({ NITKA_DESK_KEYS })).toEqual([
      `NITKA_DESK_KEYS is invalid (${problem}): expected name:key,name:key, with keys of at least 16 characters without a comma, each of one operator, the same on every instance.`,
    ]);
    expect(problem).not.toContain("hunter2");
  });

  it("names every invalid setting, its value and the expected value", () => {
    expect(
      problemsOf({
        PORT: "abc",
        HOST: "a b",
        LOG_LEVEL: "loud",
        OPENAI_BASE_URL: "localhost:11434",
        NITKA_MAX_RUNS: "0",
      }),
    ).toEqual([
      'PORT is "abc": expected a whole number from 0 to 65535 (0 takes any free port).',
      'HOST is "a b": expected a host name or an address, such as localhost or 0.0.0.0.',
      'OPENAI_BASE_URL is "localhost:11434": expected an address such as https://api.openai.com/v1, without a user, a query or a fragment.',
      'NITKA_MAX_RUNS is "0": expected a whole number from 1 to 100000.',
      'LOG_LEVEL is "loud": expected one of trace, debug, info, warn, error, fatal, silent.',
    ]);
  });

  it.each(["80.5", "65536", "-1", "1e9", "0x"])("rejects the port %s", (PORT) => {
    expect(problemsOf({ PORT })).toHaveLength(1);
  });

  it.each(["sk-ключ", "sk-1\nsk-2", "two keys"])(
    "rejects a key that cannot be sent in a header: %j",
    (OPENAI_API_KEY) => {
      expect(problemsOf({ OPENAI_API_KEY })).toEqual([
        `OPENAI_API_KEY is invalid (${OPENAI_API_KEY.length} characters): expected a key of plain visible characters, without spaces.`,
      ]);
    },
  );

  it.each(["https://me:hunter2@a.example/v1", "https://a.example/v1?key=hunter2", "https://a.example/#v1"])(
    "rejects an upstream address that requests cannot use: %s",
    (OPENAI_BASE_URL) => {
      expect(problemsOf({ OPENAI_BASE_URL })).toHaveLength(1);
    },
  );

  it("accepts several secrets if each is long enough, and keeps their order", () => {
    const secrets = ["a new secret of letters", "an old secret of letters"];
    expect(readEnv({ NITKA_SECRET: secrets.join(", ") }).NITKA_SECRET).toEqual(secrets);
    expect(problemsOf({ NITKA_SECRET: "a new secret of letters,short" })).toHaveLength(1);
  });

  it.each([
    ["mysql://db.example/nitka", "mysql://db.example/nitka"],
    ["mysql://me:hunter2@db.example/nitka", "mysql://me:***@db.example/nitka"],
    ["postgres//me:hun@ter2@db.example/nitka", "postgres:***@db.example/nitka"],
    ["mysql://db.example/nitka?user=me&password=hunter2", "mysql://db.example/nitka?user=***&password=***"],
  ])("hides the password in an invalid address: %s", (DATABASE_URL, shown) => {
    expect(problemsOf({ DATABASE_URL })[0]).toMatch(`DATABASE_URL is "${shown}": expected an address such as`);
  });

  it("does not show an invalid secret", () => {
    const problems = problemsOf({
      NITKA_SECRET: "hunter2",
      DATABASE_URL: "mysql://me:hunter2@db/x",
      OPENAI_BASE_URL: "https://me:hunter2@a.example/v1",
    }).join("\n");
    expect(problems).toContain("NITKA_SECRET is invalid (7 characters): expected at least 16 characters");
    expect(problems).not.toContain("hunter2");
  });
});

describe("helpText", () => {
  it("lists every setting and every command", () => {
    const help = helpText();
    expect(Object.keys(settings).filter((name) => !help.includes(`  ${name} `))).toEqual([]);
    expect(help).toMatch(/nitka check.*nitka usage.*nitka export.*nitka purge/s);
  });
});

function problemsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readEnv(env);
    return [];
  } catch (error) {
    return error instanceof SettingsError ? error.problems : [String(error)];
  }
}
