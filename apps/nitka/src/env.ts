import { z } from "zod";
import { SettingsError } from "./settings-error.ts";

/** One environment variable: what it takes, in code and in words. */
interface Setting<T> {
  readonly schema: z.ZodType<T>;
  readonly expected: string;
  readonly help: string;
  /** In words, where there is one. */
  readonly fallback?: string;
  /** Its value is never shown. */
  readonly secret?: true;
}

/** Every setting of the program, in the order in which `nitka --help` tells them. */
export const settings = {
  PORT: setting({
    schema: wholeNumber(0, 65_535).default(3000),
    expected: "a whole number from 0 to 65535 (0 takes any free port)",
    help: "the port to listen on",
    fallback: "3000",
  }),
  HOST: setting({
    schema: z.string().regex(/^\S+$/).default("localhost"),
    expected: "a host name or an address, such as localhost or 0.0.0.0",
    help: "the address to listen on; 0.0.0.0 for every one",
    fallback: "localhost",
  }),
  NITKA_DATA: setting({
    schema: z.string().default("./data"),
    expected: "a folder",
    help: "folder of the embedded database and of the secret",
    fallback: "./data",
  }),
  DATABASE_URL: setting({
    schema: url("postgres:", "postgresql:").optional(),
    expected: "an address such as postgres://user:password@host:5432/name",
    help: "a Postgres for any number of instances, instead of the embedded database",
  }),
  DATABASE_DIRECT_URL: setting({
    schema: url("postgres:", "postgresql:").optional(),
    expected: "an address such as postgres://user:password@host:5432/name",
    help: "the same Postgres past its pooler (pgbouncer and the like), for LISTEN, heartbeats and migrations",
    fallback: "DATABASE_URL",
    secret: true,
  }),
  NITKA_DATABASE_CONNECTIONS: setting({
    schema: wholeNumber(1, 1_000).default(10),
    expected: "a whole number from 1 to 1000",
    help: "connections to Postgres for queries; three more are for run logs, heartbeats and LISTEN",
    fallback: "10",
  }),
  NITKA_MIGRATE: setting({
    schema: z.enum(["on", "off"]).default("on"),
    expected: "on or off",
    help: "whether to bring an older schema of the database up to date; off leaves that to `nitka migrate`",
    fallback: "on",
  }),
  NITKA_FILES: setting({
    schema: z
      .string()
      .refine((text) => !text.includes("://") || /^s3:\/\/[\w.-]+(\/[\w.-]+)*$/.test(text))
      .optional(),
    expected: "a folder, such as /var/lib/nitka/files, or a bucket, such as s3://bucket or s3://bucket/folder",
    help: "a folder or a bucket (s3://…) for files, shared by every instance",
    fallback: "the database",
  }),
  NITKA_S3_ENDPOINT: setting({
    schema: url("http:", "https:").refine(isBare).optional(),
    expected: "an address such as https://minio.example, without a user, a query or a fragment",
    help: "the store that has the bucket of NITKA_FILES",
    fallback: "AWS, in AWS_REGION",
  }),
  AWS_REGION: setting({
    schema: z
      .string()
      .regex(/^[\w-]+$/)
      .default("us-east-1"),
    expected: "a region's name, such as eu-central-1",
    help: "the region of that bucket",
    fallback: "us-east-1",
  }),
  AWS_ACCESS_KEY_ID: setting({
    schema: key().optional(),
    expected: "a key of plain visible characters, without spaces",
    help: "the id of the key to that bucket",
  }),
  AWS_SECRET_ACCESS_KEY: setting({
    schema: key().optional(),
    expected: "a key of plain visible characters, without spaces",
    help: "the key",
    secret: true,
  }),
  OPENAI_BASE_URL: setting({
    schema: url("http:", "https:").refine(isBare).optional(),
    expected: "an address such as https://api.openai.com/v1, without a user, a query or a fragment",
    help: "any server that speaks OpenAI's chat completions",
  }),
  OPENAI_API_KEY: setting({
    schema: key().optional(),
    expected: "a key of plain visible characters, without spaces",
    help: "its key; alone, it means OpenAI itself",
    secret: true,
  }),
  ANTHROPIC_API_KEY: setting({
    schema: key().optional(),
    expected: "a key of plain visible characters, without spaces",
    help: "for models named anthropic:…",
    secret: true,
  }),
  GOOGLE_GENERATIVE_AI_API_KEY: setting({
    schema: key().optional(),
    expected: "a key of plain visible characters, without spaces",
    help: "for models named google:…",
    secret: true,
  }),
  NITKA_MODEL: setting({
    schema: z.string().optional(),
    expected: "a model's name, such as gpt-4o-mini, anthropic:claude-sonnet-4-5 or demo",
    help: "the model that answers",
    fallback: "gpt-4o-mini with an OpenAI setting, else the built-in demo",
  }),
  NITKA_CONFIG: setting({
    schema: z.string().optional(),
    expected: "a JSON file",
    help: 'the projects: { "projects": { "<id>": { … } } }',
    fallback: "one project, default",
  }),
  NITKA_SECRET: setting({
    schema: z
      .string()
      .transform((text) => text.split(",").map((secret) => secret.trim()))
      .pipe(z.array(z.string().min(16)))
      .optional(),
    expected: "at least 16 characters, the same on every instance, or several such secrets with commas between them",
    help: "signs visitors' cookies; of new,old the first signs and both are taken",
    fallback: "made once and kept in NITKA_DATA",
    secret: true,
  }),
  NITKA_MAX_RUNS: setting({
    schema: wholeNumber(1, 100_000).default(250),
    expected: "a whole number from 1 to 100000",
    help: "answers written at one time by this process",
    fallback: "250",
  }),
  NITKA_MAX_BUFFERED_BYTES: setting({
    schema: wholeNumber(64_000_000, 1e12).default(256_000_000),
    expected: "a whole number from 64000000 up",
    help: "bytes of bodies, uploads and models' files in memory at one time",
    fallback: "256000000",
  }),
  NITKA_ARCHIVE_DAYS: setting({
    schema: wholeNumber(0, 36_500).default(30),
    expected: "a whole number from 0 to 36500",
    help: "days after which threads that visitors deleted are erased; 0 for within the hour",
    fallback: "30",
  }),
  NITKA_RETENTION_DAYS: setting({
    schema: wholeNumber(0, 36_500).optional(),
    expected: "a whole number from 0 to 36500",
    help: "days after which untouched threads are erased; 0 for within the hour",
    fallback: "they are kept",
  }),
  NITKA_TRUSTED_PROXIES: setting({
    schema: wholeNumber(0, 16).default(0),
    expected: "a whole number from 0 to 16",
    help: "proxies in front whose X-Forwarded-* headers are believed",
    fallback: "0: the headers are ignored",
  }),
  NITKA_OPS_PORT: setting({
    schema: wholeNumber(0, 65_535).optional(),
    expected: "a whole number from 0 to 65535 (0 takes any free port)",
    help: "a port of its own for /metrics and /openapi.json",
    fallback: "they are on PORT",
  }),
  NITKA_DRAIN_SECONDS: setting({
    schema: z.coerce.number().min(0).max(3_600).default(5),
    expected: "a number from 0 to 3600",
    help: "after SIGTERM, for how long connections are still taken",
    fallback: "5",
  }),
  NITKA_GRACE_SECONDS: setting({
    schema: z.coerce.number().min(0).max(3_600).default(30),
    expected: "a number from 0 to 3600",
    help: "after SIGTERM, for how long answers may go on",
    fallback: "30",
  }),
  NITKA_DEMO_SPEED: setting({
    schema: z.coerce.number().min(0.1).max(1_000).default(1),
    expected: "a number from 0.1 to 1000",
    help: "how many times faster the demo model writes",
    fallback: "1",
  }),
  LOG_LEVEL: setting({
    schema: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
    expected: "one of trace, debug, info, warn, error, fatal, silent",
    help: "how much is logged, to standard error",
    fallback: "info",
  }),
} as const;

type Settings = typeof settings;

/** The settings with their values. */
export type Env = { readonly [K in keyof Settings]: z.output<Settings[K]["schema"]> };

/**
 * Reads the environment. An empty value counts as none, as compose files write it.
 *
 * @throws {SettingsError} naming every setting that makes no sense
 */
export function readEnv(env: Readonly<Record<string, string | undefined>>): Env {
  const problems: string[] = [];
  const values = Object.entries(settings).map(([name, { schema, expected, secret }]: [string, Setting<unknown>]) => {
    const given = env[name]?.trim() === "" ? undefined : env[name]?.trim();
    const parsed = schema.safeParse(given);
    if (!parsed.success) {
      const shown = secret ? `not what it should be (${given?.length ?? 0} characters)` : JSON.stringify(bare(given));
      problems.push(`${name} is ${shown}: expected ${expected}.`);
    }
    return [name, parsed.data] as const;
  });
  if (problems.length > 0) throw new SettingsError(problems);
  return Object.fromEntries(values) as Env;
}

/** An address without its password, or where one may stand: before the last `@`, and in the query. */
function bare(text = ""): string {
  const [, scheme = "", rest = ""] = /^([a-z][a-z0-9+.-]*:(?:\/\/)?)?(.*)$/is.exec(text) ?? [];
  const user = /^([^:@/]*):?.*@/s.exec(rest);
  const shown = user ? `${user[1]}:***@${rest.slice(user[0].length)}` : rest;
  return scheme + shown.replace(/([?&][^=&]*=)[^&]*/g, "$1***");
}

function setting<T>(fields: Setting<T>): Setting<T> {
  return fields;
}

function wholeNumber(min: number, max: number) {
  return z.coerce.number().int().min(min).max(max);
}

/** It goes into a header: what cannot stand there would fail at every question. */
function key() {
  return z.string().regex(/^[\x21-\x7e]+$/);
}

/** A user and a password in an address are sent nowhere, and a path is put behind this one. */
function isBare(text: string): boolean {
  const address = URL.parse(text);
  return address === null || address.username + address.password + address.search + address.hash === "";
}

function url(...protocols: readonly string[]) {
  return z.string().refine((text) => protocols.includes(URL.parse(text)?.protocol ?? ""));
}
