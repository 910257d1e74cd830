import { openMcpTools } from "@nitka/server";
import type { Log, Project } from "@nitka/server";
import type { ProjectFields } from "./config-file.ts";
import { createModel, defaultModelId, whatIsMissing } from "./models.ts";
import type { ModelName, ModelSettings } from "./models.ts";

/** The projects of the file, or the one project `default`. */
export type ProjectFile = Readonly<Record<string, ProjectFields>>;

export const defaultProjects: ProjectFile = { default: {} };

/** Makes the server's projects of settings that make sense. */
export function createProjects(
  file: ProjectFile,
  settings: ModelSettings,
  log: Log,
): Readonly<Record<string, Project>> {
  return Object.fromEntries(
    Object.entries(file).map(([id, fields]) => [id, createProject(id, fields, settings, log)] as const),
  );
}

/** What is wrong with a project's models, a sentence each. */
export function modelProblems(id: string, fields: ProjectFields, settings: ModelSettings): string[] {
  const where = `projects.${id}`;
  const problems = modelNames(fields, settings).flatMap((model, index) => {
    const missing = whatIsMissing(model.id, settings);
    if (missing === undefined) return [];
    const place = fields.models
      ? `${where}.models.${index}.id`
      : fields.model === undefined
        ? "NITKA_MODEL"
        : `${where}.model`;
    return [`${place} is ${JSON.stringify(model.id)}: expected ${missing} to be set, too.`];
  });
  const ids = fields.models?.map((model) => model.id) ?? [];
  if (fields.model !== undefined && fields.models && !ids.includes(fields.model)) {
    problems.push(`${where}.model is ${JSON.stringify(fields.model)}: expected one of its models, ${ids.join(", ")}.`);
  }
  const twice = ids.filter((each, index) => ids.indexOf(each) !== index);
  return [
    ...problems,
    ...twice.map((each) => `${where}.models names ${JSON.stringify(each)} twice: expected each model once.`),
  ];
}

function createProject(id: string, fields: ProjectFields, settings: ModelSettings, log: Log): Project {
  const { models: _, mcpServers, model, allowedOrigins, instructions, limits, secret, ...config } = fields;
  const openTools = mcpServers
    ? (signal: AbortSignal) =>
        openMcpTools(
          {
            servers: mcpServers,
            onError: (server, error) =>
              log.warn({ project: id, server, error: String(error) }, "an MCP server cannot be used"),
          },
          signal,
        )
    : undefined;
  return {
    config,
    models: modelNames(fields, settings).map((name) => createModel(name, settings, openTools)),
    ...(model === undefined ? {} : { model }),
    ...(allowedOrigins === undefined ? {} : { allowedOrigins }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(limits === undefined ? {} : { limits }),
    ...(secret === undefined ? {} : { secret }),
  };
}

function modelNames({ models, model }: ProjectFields, settings: ModelSettings): readonly ModelName[] {
  return models ?? [{ id: model ?? defaultModelId(settings) }];
}
