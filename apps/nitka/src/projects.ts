import { withFallback } from "@nitka/server";
import { createMcpTools } from "@nitka/server/mcp";
import type { Log, Model, Project } from "@nitka/server";
import type { McpTools } from "@nitka/server/mcp";
import type { ProjectFields } from "./config-file.ts";
import { createModel, defaultModelId, missingSetting } from "./models.ts";
import type { ModelName, ModelOptions, ModelSettings } from "./models.ts";

/** The projects of the config file by id. */
export type ProjectFile = Readonly<Record<string, ProjectFields>>;

export interface Projects {
  readonly projects: Readonly<Record<string, Project>>;
  /** Closes the connections to MCP servers. */
  readonly close: () => Promise<void>;
}

/** Makes the server's projects from valid settings. */
export function createProjects(file: ProjectFile, settings: ModelSettings, log: Log): Projects {
  const made = Object.entries(file).map(([id, fields]) => {
    const { mcpServers: servers, secret } = fields;
    const onError = mcpWarning(id, log);
    const tools = servers && createMcpTools({ servers, onError, ...(secret === undefined ? {} : { secret }) });
    return { id, tools, project: createProject(fields, settings, tools) };
  });
  return {
    projects: Object.fromEntries(made.map(({ id, project }) => [id, project])),
    close: async () => {
      await Promise.all(made.map(async ({ tools }) => tools?.close()));
    },
  };
}

/** The problems of a project's models, one sentence each. */
export function modelProblems(id: string, fields: ProjectFields, settings: ModelSettings): string[] {
  const where = `projects.${id}`;
  const problems = modelNames(fields, settings).flatMap((model, index) => {
    const missing = missingSetting(model.id, settings);
    if (missing === undefined) return [];
    const place = fields.models
      ? `${where}.models.${index}.id`
      : fields.model === undefined
        ? "NITKA_MODEL"
        : `${where}.model`;
    return [`${place} is ${JSON.stringify(model.id)}: expected ${missing} to be set as well.`];
  });
  for (const field of ["titleModel", "fallbackModel"] as const) {
    const model = fields[field];
    const missing = model === undefined ? undefined : missingSetting(model, settings);
    if (missing === undefined) continue;
    problems.push(`${where}.${field} is ${JSON.stringify(model)}: expected ${missing} to be set as well.`);
  }
  const ids = fields.models?.map((model) => model.id) ?? [];
  if (fields.model !== undefined && fields.models && !ids.includes(fields.model)) {
    problems.push(`${where}.model is ${JSON.stringify(fields.model)}: expected one of its models, ${ids.join(", ")}.`);
  }
  const duplicates = ids.filter((each, index) => ids.indexOf(each) !== index);
  return [
    ...problems,
    ...duplicates.map((each) => `${where}.models names ${JSON.stringify(each)} twice: expected each model once.`),
  ];
}

/** A problem for each entry of `approve` that names an MCP server which the project does not have. */
export function approveProblems(id: string, { approve = [], mcpServers = {} }: ProjectFields): string[] {
  const servers = Object.keys(mcpServers);
  return approve.flatMap((entry, index) => {
    const server = /^!?([^/]*)\//.exec(entry)?.[1];
    if (server === undefined || server.includes("*") || servers.includes(server)) return [];
    const expected =
      servers.length === 0
        ? "no slash, since the project has no mcpServers"
        : `one of its mcpServers, ${servers.join(", ")}, before the slash`;
    return [`projects.${id}.approve.${index} is ${JSON.stringify(entry)}: expected ${expected}.`];
  });
}

function mcpWarning(project: string, log: Log) {
  return (server: string, error: unknown) => {
    log.warn({ project, server, error: String(error) }, "an MCP server cannot be used");
  };
}

function createProject(fields: ProjectFields, settings: ModelSettings, tools: McpTools | undefined): Project {
  const {
    models: _,
    mcpServers: __,
    model,
    allowedOrigins,
    instructions,
    approve,
    limits,
    secret,
    shareClaims,
    followUps,
    toolViews,
    prices,
    currency,
    ...rest
  } = fields;
  const {
    retentionDays,
    archiveDays,
    maxSteps,
    maxOutputTokens,
    temperature,
    reasoningEffort,
    titleModel,
    fallbackModel,
    ...config
  } = rest;
  const titleWriter = titleModel === undefined ? undefined : createModel({ id: titleModel }, settings);
  const options: ModelOptions = {
    ...(tools ? { openTools: tools.open, knownTools: tools.names } : {}),
    ...(titleWriter ? { title: (request) => titleWriter.title(request), suggest: titleWriter.suggest } : {}),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
  };
  const fallback = fallbackModel === undefined ? undefined : createModel({ id: fallbackModel }, settings, options);
  const withProjectFallback = (each: Model) =>
    fallback && fallback.id !== each.id ? withFallback(each, fallback) : each;
  return {
    config,
    models: modelNames(fields, settings).map((name) => withProjectFallback(createModel(name, settings, options))),
    ...(model === undefined ? {} : { model }),
    ...(allowedOrigins === undefined ? {} : { allowedOrigins }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(approve === undefined ? {} : { approve }),
    ...(limits === undefined ? {} : { limits }),
    ...(secret === undefined ? {} : { secret }),
    ...(shareClaims === undefined ? {} : { shareClaims }),
    ...(followUps === undefined ? {} : { followUps }),
    ...(toolViews === undefined ? {} : { toolViews }),
    ...(prices === undefined ? {} : { prices }),
    ...(currency === undefined ? {} : { currency }),
    ...(retentionDays === undefined ? {} : { retentionDays }),
    ...(archiveDays === undefined ? {} : { archiveDays }),
  };
}

function modelNames({ models, model }: ProjectFields, settings: ModelSettings): readonly ModelName[] {
  return models ?? [{ id: model ?? defaultModelId(settings) }];
}
