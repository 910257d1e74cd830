import { resolve } from "node:path";
import { readConfigFile } from "./config-file.ts";
import { readEnv } from "./env.ts";
import type { Env } from "./env.ts";
import { defaultProjects, modelProblems } from "./projects.ts";
import type { ProjectFile } from "./projects.ts";
import { SettingsError } from "./settings-error.ts";

/** Everything that the program is told. */
export interface Settings {
  readonly env: Env;
  readonly projects: ProjectFile;
  /** NITKA_DATA as an absolute path. */
  readonly dataFolder: string;
}

/**
 * Reads the environment and the file of projects, all of it: whoever has two mistakes is told both.
 *
 * @throws {SettingsError}
 */
export function readSettings(given: Readonly<Record<string, string | undefined>>): Settings {
  const problems: string[] = [];
  const env = collect(problems, () => readEnv(given));
  const path = given["NITKA_CONFIG"]?.trim();
  const projects = path ? collect(problems, () => readConfigFile(resolve(path))) : defaultProjects;
  if (env && projects) {
    for (const [id, fields] of Object.entries(projects)) problems.push(...modelProblems(id, fields, env));
  }
  if (!env || !projects || problems.length > 0) throw new SettingsError(problems);
  return { env, projects, dataFolder: resolve(env.NITKA_DATA) };
}

function collect<T>(problems: string[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}
