import { describeModel, defaultModelId } from "../models.ts";
import { describeStorage } from "../open-storage.ts";
import { readSettings } from "../read-settings.ts";
import type { Settings } from "../read-settings.ts";
import { SettingsError } from "../config/settings-error.ts";
import { checkOnline } from "./check-online.ts";
import { checkWarnings } from "./check-warnings.ts";
import type { ProgramContext } from "../program-context.ts";

/**
 * `nitka check`: prints every problem of the settings, or a summary of them. It uses neither the database nor the network; with
 * `--online` it asks the database, the models and the MCP servers.
 *
 * @returns 0 also with warnings; 1 for settings that are wrong, and where something does not answer as it should
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
  stdout.write(`${[...summary(settings), ...checkWarnings(settings).map((warning) => `! ${warning}`)].join("\n")}\n`);
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
