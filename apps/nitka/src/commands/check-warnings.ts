import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { ProjectFields } from "../config/project-fields.ts";
import { modelNames, placeOf } from "../models.ts";
import { toolWarnings } from "../projects.ts";
import type { Settings } from "../read-settings.ts";

/** What is allowed and dangerous, one sentence each. */
export function checkWarnings(settings: Settings): readonly string[] {
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
          `projects.${id}.mcpServers.${name}.identify signs with the project's secret, with which this server could sign ` +
            "in as any visitor. Give it a secret of its own.",
        ]
      : [],
  );
}

/** Rates and limits of visitors slow down who asks too much. Only a budget ends what a key can cost in a day. */
function budgetWarnings(id: string, fields: ProjectFields, settings: Settings): readonly string[] {
  const names = modelNames(fields, settings).map((model) => model.id);
  const others = [fields.titleModel, fields.fallbackModel].filter((each) => each !== undefined);
  const keyed = [...names, ...others].find(
    (each) => each !== "demo" && placeOf(each, settings).provider.apiKey !== undefined,
  );
  if (keyed === undefined || typeof fields.limits?.projectTokensPerDay === "number") return [];
  return [
    `projects.${id}.limits.projectTokensPerDay is not set, and ${keyed} is asked with a key: nothing ends what it may cost in a ` +
      "day. Set a number of tokens, such as 2000000.",
  ];
}

/** Root reads every file. A service that runs as another user, as the unit does, might not. */
function fileWarnings({ env: { NITKA_CONFIG } }: Settings): readonly string[] {
  if (NITKA_CONFIG === undefined || process.getuid?.() !== 0) return [];
  const path = resolve(NITKA_CONFIG);
  const { mode, uid } = statSync(path);
  // Neither the group nor anybody else may read it.
  if (uid !== 0 || (mode & 0o044) !== 0) return [];
  return [
    `NITKA_CONFIG (${path}) can be read by root alone, as this command was run: a service that runs as another user stops ` +
      "at it. Give it to that user, or pass it by systemd's LoadCredential.",
  ];
}
