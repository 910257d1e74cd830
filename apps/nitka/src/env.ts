import { z } from "zod";
import { deskKeys } from "./desk-keys.ts";

/** One environment variable: its schema and its description. */
export interface Setting<T> {
  readonly schema: z.ZodType<T>;
  readonly expected: string;
  readonly help: string;
  /** The default in words, if there is one. */
  readonly fallback?: string;
  /** Whether error messages leave the value out. */
  readonly secret?: true;
  /** Whether the schema's own messages explain the problem without the value. */
  readonly explains?: true;
}

/** Every setting of the program, in the order of `nitka --help`. */
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
    help: "the address to listen on; 0.0.0.0 listens on all addresses",
    fallback: "localhost",
  }),
  NITKA_DATA: setting({
    schema: z.string().default("./data"),
    expected: "a folder",
    help: "folder for the embedded database and the secret",
    fallback: "./data",
  }),
  DATABASE_URL: setting({
    schema: url("postgres:", "postgresql:").optional(),
    expected: "an address such as postgres://user:password@host:5432/name",
    help: "a Postgres database, which several instances can share, instead of the embedded one",
  }),
  DATABASE_DIRECT_URL: setting({
    schema: url("postgres:", "postgresql:").optional(),
    expected: "an address such as postgres://user:password@host:5432/name",
    help: "the same Postgres without its pooler (such as pgbouncer), for LISTEN, heartbeats and migrations",
    fallback: "DATABASE_URL",
    secret: true,
  }),
  NITKA_DATABASE_CONNECTIONS: setting({
    schema: wholeNumber(1, 1_000).default(10),
    expected: "a whole number from 1 to 1000",
    help: "connections to Postgres for queries; event logs, heartbeats and LISTEN use three more",
    fallback: "10",
  }),
  NITKA_MIGRATE: setting({
    schema: z.enum(["on", "off"]).default("on"),
    expected: "on or off",
    help: "whether a start migrates the schema of the database; with off, run `nitka migrate`",
    fallback: "on",
  }),
  NITKA_FILES: setting({
    schema: z
      .string()
      .refine((text) => !text.includes("://") || /^s3:\/\/[\w.-]+(\/[\w.-]+)*$/.test(text))
      .optional(),
    expected: "a folder, such as /var/lib/nitka/files, or a bucket, such as s3://bucket or s3://bucket/folder",
    help: "a folder or a bucket (s3://…) for files, shared by all instances",
    fallback: "the database",
  }),
  NITKA_S3_ENDPOINT: setting({
    schema: url("http:", "https:").refine(isBare).optional(),
    expected: "an address such as https://minio.example, without a user, a query or a fragment",
    help: "the S3 endpoint of the bucket in NITKA_FILES",
    fallback: "AWS, in AWS_REGION",
  }),
  AWS_REGION: setting({
    schema: z
      .string()
      .regex(/^[\w-]+$/)
      .default("us-east-1"),
    expected: "a region's name, such as eu-central-1",
    help: "the region of the bucket",
    fallback: "us-east-1",
  }),
  AWS_ACCESS_KEY_ID: setting({
    schema: key().optional(),
    expected: "a key of plain visible characters, without spaces",
    help: "the id of the access key for the bucket",
  }),
  AWS_SECRET_ACCESS_KEY: setting({
    schema: key().optional(),
    expected: "a key of plain visible characters, without spaces",
    help: "the secret access key for the bucket",
    secret: true,
  }),
  AWS_SESSION_TOKEN: setting({
    schema: key().optional(),
    expected: "a token of plain visible characters, without spaces",
    help: "the session of a temporary key",
    secret: true,
  }),
  OPENAI_BASE_URL: setting({
    schema: url("http:", "https:").refine(isBare).optional(),
    expected: "an address such as https://api.openai.com/v1, without a user, a query or a fragment",
    help: "the address of an OpenAI-compatible server (chat completions)",
  }),
  OPENAI_API_KEY: setting({
    schema: key().optional(),
    expected: "a key of plain visible characters, without spaces",
    help: "the key for that server; without OPENAI_BASE_URL, for OpenAI itself",
    secret: true,
  }),
  ANTHROPIC_API_KEY: setting({
    schema: key().optional(),
    expected: "a key of plain visible characters, without spaces",
    help: "the key for models named anthropic:…",
    secret: true,
  }),
  GOOGLE_GENERATIVE_AI_API_KEY: setting({
    schema: key().optional(),
    expected: "a key of plain visible characters, without spaces",
    help: "the key for models named google:…",
    secret: true,
  }),
  NITKA_MODEL: setting({
    schema: z.string().optional(),
    expected: "a model's name, such as gpt-4o-mini, anthropic:claude-sonnet-4-5 or demo",
    help: "the model that answers",
    fallback: "gpt-4o-mini with OPENAI_BASE_URL or OPENAI_API_KEY, else the built-in demo",
  }),
  NITKA_CONFIG: setting({
    schema: z.string().optional(),
    expected: "a JSON file",
    help: 'a JSON file of projects: { "projects": { "<id>": { … } } }',
    fallback: "the projects default and, where NITKA_PAGES is on, demo",
  }),
  NITKA_SECRET: setting({
    schema: z
      .string()
      .transform((text) => text.split(",").map((secret) => secret.trim()))
      .pipe(z.array(z.string().min(16)))
      .optional(),
    expected: "at least 16 characters, the same on every instance, or several such secrets separated by commas",
    help: "signs visitors' cookies; with new,old the first signs and both are accepted",
    fallback: "generated once and stored in NITKA_DATA",
    secret: true,
  }),
  NITKA_MAX_RUNS: setting({
    schema: wholeNumber(1, 100_000).default(250),
    expected: "a whole number from 1 to 100000",
    help: "the most answers that this process writes at the same time",
    fallback: "250",
  }),
  NITKA_MAX_BUFFERED_BYTES: setting({
    schema: wholeNumber(64_000_000, 1e12).default(256_000_000),
    expected: "a whole number from 64000000 up",
    help: "the most bytes of request bodies, uploads and files for models in memory",
    fallback: "256000000",
  }),
  NITKA_ARCHIVE_DAYS: setting({
    schema: wholeNumber(0, 36_500).default(30),
    expected: "a whole number from 0 to 36500",
    help: "days until threads that visitors deleted are erased; 0 erases them within an hour",
    fallback: "30",
  }),
  NITKA_RETENTION_DAYS: setting({
    schema: wholeNumber(0, 36_500).optional(),
    expected: "a whole number from 0 to 36500",
    help: "days until unused threads are erased; 0 erases them within an hour",
    fallback: "never",
  }),
  NITKA_TRUSTED_PROXIES: setting({
    schema: wholeNumber(0, 16).default(0),
    expected: "a whole number from 0 to 16",
    help: "how many proxies in front of the program set X-Forwarded-* and X-Request-Id",
    fallback: "0: the headers are ignored",
  }),
  NITKA_PAGES: setting({
    schema: z.enum(["on", "off"]).default("on"),
    expected: "on or off",
    help: "whether the full page (/ and /c/…) and the demo pages (/demo/…) are served; off: they are 404",
    fallback: "on",
  }),
  NITKA_WEBHOOKS: setting({
    schema: z.enum(["on", "off"]).default("on"),
    expected: "on or off",
    help: "whether events are sent to the projects' webhooks; off for a copy of the database, such as a test of a restore",
    fallback: "on",
  }),
  NITKA_OPS_PORT: setting({
    schema: wholeNumber(0, 65_535).optional(),
    expected: "a whole number from 0 to 65535 (0 takes any free port)",
    help: "a separate port for /metrics, /openapi.json and the desk",
    fallback: "PORT, without a desk",
  }),
  NITKA_OPS_HOST: setting({
    schema: z.string().regex(/^\S+$/).default("127.0.0.1"),
    expected: "a host name or an address, such as 127.0.0.1 or 10.0.0.5",
    help: "the address that NITKA_OPS_PORT listens on",
    fallback: "127.0.0.1",
  }),
  NITKA_DESK_KEY: setting({
    schema: z.string().min(16).optional(),
    expected: "at least 16 characters, the same on every instance",
    help: "what an operator without a name signs in with at /desk, on NITKA_OPS_PORT",
    fallback: "nobody",
    secret: true,
  }),
  NITKA_DESK_KEYS: setting({
    schema: deskKeys.optional(),
    expected:
      "name:key,name:key, with keys of at least 16 characters without a comma, each of one operator, the same on every instance",
    help: "the desk's operators, as name:key,name:key; the log names the operator of each reading. Without a key there is no desk",
    fallback: "nobody",
    secret: true,
    explains: true,
  }),
  NITKA_DRAIN_SECONDS: setting({
    schema: z.coerce.number().min(0).max(3_600).default(5),
    expected: "a number from 0 to 3600",
    help: "seconds after SIGTERM in which new connections are still accepted",
    fallback: "5",
  }),
  NITKA_GRACE_SECONDS: setting({
    schema: z.coerce.number().min(0).max(3_600).default(30),
    expected: "a number from 0 to 3600",
    help: "seconds after SIGTERM in which running answers may finish",
    fallback: "30",
  }),
  NITKA_DEMO_SPEED: setting({
    schema: z.coerce.number().min(0.1).max(1_000).default(1),
    expected: "a number from 0.1 to 1000",
    help: "how many times faster than normal the demo model writes",
    fallback: "1",
  }),
  LOG_LEVEL: setting({
    schema: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
    expected: "one of trace, debug, info, warn, error, fatal, silent",
    help: "the least severe level that is logged, to standard error",
    fallback: "info",
  }),
} as const;

function setting<T>(fields: Setting<T>): Setting<T> {
  return fields;
}

function wholeNumber(min: number, max: number) {
  return z.coerce.number().int().min(min).max(max);
}

/** A key that can be sent in a header. Any other key would fail with every question. */
function key() {
  return z.string().regex(/^[\x21-\x7e]+$/);
}

/** Whether an address has no credentials, which `fetch` refuses, and no query or fragment, since a path is appended. */
function isBare(text: string): boolean {
  const address = URL.parse(text);
  return address === null || address.username + address.password + address.search + address.hash === "";
}

function url(...protocols: readonly string[]) {
  return z.string().refine((text) => protocols.includes(URL.parse(text)?.protocol ?? ""));
}
