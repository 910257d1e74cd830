import { resolve } from "node:path";
import { readConfigFile } from "./config/config-file.ts";
import type { ProviderFields } from "./config/model-fields.ts";
import type { Env } from "./read-env.ts";
import { readEnv } from "./read-env.ts";
import { defaultProjects } from "./default-projects.ts";
import { embeddingsProblems } from "./knowledge/project-knowledge.ts";
import { modelProblems } from "./projects.ts";
import type { ProjectFile } from "./projects.ts";
import { SettingsError } from "./config/settings-error.ts";

/** The environment and the config file after validation. */
export interface Settings {
  readonly env: Env;
  readonly projects: ProjectFile;
  /** The providers of the config file, by name. */
  readonly providers: Readonly<Record<string, ProviderFields>>;
  /** NITKA_DATA as an absolute path. */
  readonly dataFolder: string;
}

/**
 * Reads the environment and the config file. It reports the problems of both together.
 *
 * @throws {SettingsError}
 */
export function readSettings(given: Readonly<Record<string, string | undefined>>): Settings {
  const problems: string[] = [];
  const env = collectProblems(problems, () => readEnv(given));
  const path = given["NITKA_CONFIG"]?.trim();
  const file = path
    ? collectProblems(problems, () => readConfigFile(resolve(path), given))
    : { projects: defaultProjects({ pages: env?.NITKA_PAGES !== "off" }), providers: {} };
  if (env && file) {
    for (const [id, fields] of Object.entries(file.projects)) {
      problems.push(...modelProblems(id, fields, { env, ...file }));
      if (fields.knowledge) problems.push(...embeddingsProblems(id, fields.knowledge, { env, ...file }));
    }
  }
  if (env?.NITKA_FILES?.startsWith("s3://") && !(env.AWS_ACCESS_KEY_ID && env.AWS_SECRET_ACCESS_KEY)) {
    problems.push(
      "NITKA_FILES names a bucket: expected AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to be set as well.",
    );
  }
  if (env && env.PORT !== 0 && env.NITKA_OPS_PORT === env.PORT) {
    problems.push(`NITKA_OPS_PORT is ${env.PORT}, as PORT is: expected another port.`);
  }
  if (env?.DATABASE_DIRECT_URL !== undefined && env.DATABASE_URL === undefined) {
    problems.push("DATABASE_DIRECT_URL is set: expected DATABASE_URL to be set as well, or the database is SQLite.");
  }
  for (const name of ["NITKA_DESK_KEY", "NITKA_DESK_KEYS"] as const) {
    if (env?.[name] === undefined || env.NITKA_OPS_PORT !== undefined) continue;
    problems.push(`${name} is set: expected NITKA_OPS_PORT to be set as well, since the desk is on that port alone.`);
  }
  // Several projects without a model setting report the same problem.
  if (!env || !file || problems.length > 0) throw new SettingsError([...new Set(problems)]);
  const projects = env.NITKA_WEBHOOKS === "off" ? withoutWebhooks(file.projects) : file.projects;
  return { env, ...file, projects, dataFolder: resolve(env.NITKA_DATA) };
}

function withoutWebhooks(projects: ProjectFile): ProjectFile {
  return Object.fromEntries(
    Object.entries(projects).map(([id, project]) => {
      const { webhooks: _, ...fields } = project;
      return [id, fields];
    }),
  );
}

/** Every secret in the settings, for the log to hide. */
export function secretsOf({ env, projects, providers }: Settings): readonly string[] {
  const given = [
    env.OPENAI_API_KEY,
    env.ANTHROPIC_API_KEY,
    env.GOOGLE_GENERATIVE_AI_API_KEY,
    env.AWS_SECRET_ACCESS_KEY,
    env.AWS_SESSION_TOKEN,
    env.NITKA_DESK_KEY,
    ...(env.NITKA_DESK_KEYS ?? []).map(({ key }) => key),
    ...(env.NITKA_SECRET ?? []),
  ];
  for (const url of [env.DATABASE_URL, env.DATABASE_DIRECT_URL]) {
    if (url !== undefined) given.push(URL.parse(url)?.password);
  }
  // For `Bearer …` also the token without the scheme, because errors often quote it that way.
  const ofHeaders = (headers: Readonly<Record<string, string>> = {}) =>
    Object.values(headers).flatMap((value) => [value, value.split(" ").at(-1)]);
  for (const { apiKey, headers } of Object.values(providers)) given.push(apiKey, ...ofHeaders(headers));
  for (const { secret, mcpServers = {}, webhooks = [] } of Object.values(projects)) {
    given.push(secret, ...webhooks.map((webhook) => webhook.secret));
    for (const { url, headers, secret: own } of Object.values(mcpServers)) {
      given.push(own, ...(URL.parse(url)?.searchParams.values() ?? []), ...ofHeaders(headers));
    }
  }
  return given.filter((secret) => secret !== undefined);
}

function collectProblems<T>(problems: string[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}
