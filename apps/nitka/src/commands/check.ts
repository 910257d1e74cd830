import { describeModel, defaultModelId, modelNames, placeOf } from "../models.ts";
import { describeStorage } from "../open-storage.ts";
import { misspelledSettings } from "../read-env.ts";
import { readSettings } from "../read-settings.ts";
import type { Settings } from "../read-settings.ts";
import { SettingsError } from "../config/settings-error.ts";
import { checkOnline } from "./check-online.ts";
import type { ProgramContext } from "../program-context.ts";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { ProjectFields } from "../config/project-fields.ts";
import { toolWarnings } from "../projects.ts";

/**
 * `nitka check`: prints every problem of the settings, or a summary of them. It uses neither the database nor the
 * network; with `--online` it queries the database, the models and the MCP servers.
 *
 * @returns 0, also with warnings; 1 for invalid settings, and when something does not answer as expected
 */
export async function check({ env, stdout, stderr }: ProgramContext, { online = false }): Promise<number> {
  let settings: Settings;
  try {
    settings = readSettings(env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    stderr.write(`${error.problems.map((problem) => `✗ ${problem}`).join("\n")}\n`);
    return 1;
  }
  const warnings = [...misspelledSettings(env), ...checkWarnings(settings)];
  stdout.write(`${[...summary(settings), ...warnings.map((warning) => `! ${warning}`)].join("\n")}\n`);
  if (!online) return 0;
  const report = await checkOnline(settings);
  stdout.write(report.lines.map((line) => `${line}\n`).join(""));
  return report.ok ? 0 : 1;
}

function summary(settings: Settings): readonly string[] {
  const { env, projects } = settings;
  return [
    "✓ The settings are valid.",
    `  Address   ${env.HOST}, port ${env.PORT}`,
    `  Storage   ${describeStorage(settings)}`,
    ...Object.entries(projects).map(([id, { models, model, titleModel, fallbackModel, allowedOrigins = [] }]) => {
      const ids = models?.map((each) => each.id) ?? [model ?? defaultModelId(settings)];
      const origins = allowedOrigins.length === 0 ? "this server's own pages" : allowedOrigins.join(", ");
      const others = [
        ...(fallbackModel === undefined ? [] : [`, else ${describeModel(fallbackModel, settings)}`]),
        ...(titleModel === undefined ? [] : [`; titles by ${describeModel(titleModel, settings)}`]),
      ].join("");
      return `  Project   ${id}: ${ids.map((each) => describeModel(each, settings)).join(", ")}${others}; for ${origins}`;
    }),
  ];
}

/** Settings that are allowed but dangerous, one sentence each. */
function checkWarnings(settings: Settings): readonly string[] {
  return [
    ...fileWarnings(settings),
    ...Object.entries(settings.projects).flatMap(([id, fields]) =>
      toolWarnings(id, fields).concat(identifyWarnings(id, fields), budgetWarnings(id, fields, settings)),
    ),
  ];
}

function identifyWarnings(id: string, { mcpServers = {} }: ProjectFields): readonly string[] {
  return Object.entries(mcpServers).flatMap(([name, { identify, secret }]) =>
    identify && secret === undefined
      ? [
          `projects.${id}.mcpServers.${name}.identify signs tokens with the project's secret. The MCP server knows that secret, so it could sign ` +
            "in as any visitor. Give it a secret of its own.",
        ]
      : [],
  );
}

/** The rate limits of visitors slow down heavy use. Only a budget bounds the daily cost of a key. */
function budgetWarnings(id: string, fields: ProjectFields, settings: Settings): readonly string[] {
  const names = modelNames(fields, settings).map((model) => model.id);
  const others = [fields.titleModel, fields.fallbackModel].filter((each) => each !== undefined);
  const keyed = [...names, ...others].find(
    (each) => each !== "demo" && placeOf(each, settings).provider.apiKey !== undefined,
  );
  if (keyed === undefined || typeof fields.limits?.projectTokensPerDay === "number") return [];
  return [
    `projects.${id}.limits.projectTokensPerDay is not set, and ${keyed} is used with a key: its cost per ` +
      "day is unlimited. Set a number of tokens, such as 2000000.",
  ];
}

/** Root can read every file. A service that runs as another user, as the systemd unit does, may not be able to. */
function fileWarnings({ env: { NITKA_CONFIG } }: Settings): readonly string[] {
  if (NITKA_CONFIG === undefined || process.getuid?.() !== 0) return [];
  const path = resolve(NITKA_CONFIG);
  const { mode, uid } = statSync(path);
  // Neither the group nor others may read it.
  if (uid !== 0 || (mode & 0o044) !== 0) return [];
  return [
    `Only root, which runs this command, can read NITKA_CONFIG (${path}): a service that runs as another user cannot start. ` +
      "Give the file to that user, or pass it with systemd's LoadCredential.",
  ];
}
