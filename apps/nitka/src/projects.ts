import { describeError, toolEntryWarnings, withFallback } from "@nitka/server";
import { answerTokens } from "@nitka/server/model-kit";
import { createMcpTools } from "@nitka/server/mcp";
import type { ListedServers, Log, Model, Project } from "@nitka/server";
import type { McpTools } from "@nitka/server/mcp";
import { SettingsError } from "./config/settings-error.ts";
import type { ProjectFields } from "./config/project-fields.ts";
import { createModel, isToldWhoAsks, missingSetting, modelNames } from "./models.ts";
import type { ModelName, ModelOptions, ModelSources } from "./models.ts";
import type { KnowledgeOf } from "./knowledge/project-knowledge.ts";

/** The parts of projects besides their fields. */
export interface ProjectParts {
  /** The previous projects, whose connections to MCP servers are reused by projects with the same servers. */
  readonly former?: Projects;
  /** Makes the search of a project's pages. Without it, no project has a search. */
  readonly knowledgeOf?: KnowledgeOf;
}

/** The projects of the config file by id. */
export type ProjectFile = Readonly<Record<string, ProjectFields>>;

export interface Projects {
  readonly projects: Readonly<Record<string, Project>>;
  /** The connections to each project's MCP servers. */
  readonly tools: ReadonlyMap<string, KeyedTools>;
  /**
   * Asks the MCP servers for their tools.
   *
   * @param patience ends the wait for servers that have not answered: problems with their tools are logged when they
   * answer
   * @throws SettingsError when the model would know two tools of a project by one name, or when the tools leave no room
   * in a model's window
   */
  readonly listTools: (patience?: AbortSignal) => Promise<void>;
  /** Closes the connections to MCP servers. */
  readonly close: () => Promise<void>;
}

interface KeyedTools {
  /** Everything that the tools were made from. */
  readonly key: string;
  readonly tools: McpTools;
}

/** Makes the server's projects from valid settings. */
export function createProjects(
  file: ProjectFile,
  sources: ModelSources,
  log: Log,
  { former, knowledgeOf }: ProjectParts = {},
): Projects {
  const tools = new Map<string, KeyedTools>();
  const projects = Object.entries(file).map(([id, fields]) => {
    const { mcpServers: servers, secret, approve, toolViews } = fields;
    const key = JSON.stringify([servers, secret, approve, toolViews]);
    const kept = former?.tools.get(id);
    if (kept?.key === key) tools.set(id, kept);
    else if (servers) {
      const onError = mcpWarning(id, log);
      const onListed = toolWarner(id, fields, log);
      const made = createMcpTools({ servers, onError, onListed, ...(secret === undefined ? {} : { secret }) });
      tools.set(id, { key, tools: made });
    } else toolWarner(id, fields, log);
    const knowledge = fields.knowledge && knowledgeOf?.(id, fields.knowledge, sources);
    return [
      id,
      { ...createProject(fields, sources, tools.get(id)?.tools), ...(knowledge ? { knowledge } : {}) },
    ] as const;
  });
  return {
    projects: Object.fromEntries(projects),
    tools,
    listTools: async (patience) => {
      const problems = await Promise.all(
        [...tools].map(async ([id, each]) => {
          const error = await listError(each.tools, patience);
          if (error) return [`projects.${id}.mcpServers: ${error.message}`];
          return windowProblems(id, file[id] ?? {}, await each.tools.declaredChars());
        }),
      );
      if (problems.flat().length > 0) throw new SettingsError(problems.flat());
    },
    close: async () => {
      await Promise.all([...tools.values()].map(async (each) => each.tools.close()));
    },
  };
}

/** The problems of a project's models, one sentence each. */
export function modelProblems(id: string, fields: ProjectFields, sources: ModelSources): string[] {
  const where = `projects.${id}`;
  const problems = modelNames(fields, sources).flatMap((model, index) => {
    const missing = missingSetting(model.id, sources);
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
    const missing = model === undefined ? undefined : missingSetting(model, sources);
    if (missing === undefined) continue;
    problems.push(`${where}.${field} is ${JSON.stringify(model)}: expected ${missing} to be set as well.`);
  }
  const ids = fields.models?.map((model) => model.id) ?? [];
  if (fields.model !== undefined && fields.models && !ids.includes(fields.model)) {
    problems.push(`${where}.model is ${JSON.stringify(fields.model)}: expected one of its models, ${ids.join(", ")}.`);
  }
  const [only] = modelNames(fields, sources);
  if (fields.fallbackModel !== undefined && ids.length < 2 && fields.fallbackModel === only?.id) {
    problems.push(
      `${where}.fallbackModel is ${JSON.stringify(only.id)}: expected a model other than the project's own.`,
    );
  }
  const told = [...modelNames(fields, sources), ...otherModels(fields)].find(({ id }) => isToldWhoAsks(id, sources));
  if (told && fields.secret === undefined) {
    problems.push(
      `${where}.secret is missing: expected a secret, because the provider of the model ${JSON.stringify(told.id)} has identify and gets a signed token of the visitor.`,
    );
  }
  const duplicates = ids.filter((each, index) => ids.indexOf(each) !== index);
  return [
    ...problems,
    ...windowProblems(id, fields),
    ...duplicates.map((each) => `${where}.models names ${JSON.stringify(each)} twice: expected each model once.`),
  ];
}

/** The windows that are already full before a question, one sentence each. */
export function windowProblems(id: string, fields: ProjectFields, declaredChars = 0): readonly string[] {
  const { models = [], instructions = "", maxOutputTokens } = fields;
  return models.flatMap(({ contextTokens, tools }, index) => {
    if (contextTokens === undefined) return [];
    const declared = tools === false ? 0 : declaredChars;
    const told = Math.ceil((instructions.length + declared) / CHARS_PER_TOKEN);
    const answer = answerTokens(contextTokens, maxOutputTokens);
    if (contextTokens > told + answer) return [];
    return [
      `projects.${id}.models.${index}.contextTokens is ${contextTokens}: expected more than the ${told} that the ` +
        `instructions${declared > 0 ? " and the tools" : ""} take and the ${answer} that are reserved for the answer.`,
    ];
  });
}

function otherModels({ titleModel, fallbackModel }: ProjectFields): readonly ModelName[] {
  return [titleModel, fallbackModel].flatMap((id) => (id === undefined ? [] : [{ id }]));
}

/**
 * The entries in a project's `approve` and `toolViews` that match no tool, one sentence each.
 *
 * @param listed the tools of the servers that have answered
 */
export function toolWarnings(id: string, fields: ProjectFields, listed: ListedServers = {}): readonly string[] {
  const known = Object.keys(fields.mcpServers ?? {}).map((server) => [server, listed[server]] as const);
  return toolEntryWarnings(fields, Object.fromEntries(known)).map((warning) => `projects.${id}.${warning}`);
}

/** Logs each warning once: those that are known before any server has answered, and the others as servers answer. */
function toolWarner(id: string, fields: ProjectFields, log: Log) {
  const listed = new Map<string, readonly string[]>();
  const warned = new Set<string>();
  const warn = () => {
    for (const warning of toolWarnings(id, fields, Object.fromEntries(listed))) {
      if (!warned.has(warning)) log.warn({}, warning);
      warned.add(warning);
    }
  };
  warn();
  return (server: string, toolNames: readonly string[]) => {
    listed.set(server, toolNames);
    warn();
  };
}

async function listError(tools: McpTools, patience?: AbortSignal): Promise<TypeError | undefined> {
  try {
    await tools.list(patience);
    return undefined;
  } catch (error) {
    if (error instanceof TypeError) return error;
    throw error;
  }
}

/** The server's own estimate for models that do not count tokens. */
const CHARS_PER_TOKEN = 4;

function mcpWarning(project: string, log: Log) {
  return (server: string, error: unknown) => {
    log.warn({ project, server, error: describeError(error, 2) }, "an MCP server cannot be used");
  };
}

/** The fields of the file that are those of a `Project` too. */
const ofProject = [
  "model",
  "allowedOrigins",
  "instructions",
  "approve",
  "limits",
  "secret",
  "shareClaims",
  "followUps",
  "toolViews",
  "webhooks",
  "prices",
  "currency",
  "retentionDays",
  "archiveDays",
] as const satisfies readonly (keyof ProjectFields & keyof Project)[];

/** The fields that are options of the project's models. */
const ofModels = [
  "secret",
  "maxSteps",
  "maxOutputTokens",
  "temperature",
  "reasoningEffort",
] as const satisfies readonly (keyof ProjectFields & keyof ModelOptions)[];

/** The fields that models, tools and the search are made from. */
const ofParts = ["models", "titleModel", "fallbackModel", "mcpServers", "knowledge"] as const;

function createProject(fields: ProjectFields, sources: ModelSources, tools: McpTools | undefined): Project {
  const { titleModel, fallbackModel } = fields;
  // A model has the same fields wherever the project names it.
  const named = (id: string): ModelName => fields.models?.find((each) => each.id === id) ?? { id };
  const titleWriter =
    titleModel === undefined ? undefined : createModel(named(titleModel), sources, picked(fields, ["secret"]));
  const options: ModelOptions = {
    ...picked(fields, ofModels),
    ...(tools ? { openTools: tools.open, knownTools: tools.names } : {}),
    ...(titleWriter ? { title: (request) => titleWriter.title(request), suggest: titleWriter.suggest } : {}),
  };
  const fallback = fallbackModel === undefined ? undefined : createModel(named(fallbackModel), sources, options);
  const withProjectFallback = (each: Model) =>
    fallback && fallback.id !== each.id ? withFallback(each, fallback) : each;
  return {
    ...picked(fields, ofProject),
    config: without(fields, [...ofProject, ...ofModels, ...ofParts]),
    models: modelNames(fields, sources).map((name) => withProjectFallback(createModel(name, sources, options))),
  };
}

/** The fields with these names, as far as they are set. */
function picked<T extends object, Name extends keyof T & string>(fields: T, names: readonly Name[]): Pick<T, Name> {
  const kept = Object.entries(fields).filter(([name]) => names.some((each) => each === name));
  return Object.fromEntries(kept) as Pick<T, Name>;
}

/** The fields with other names. */
function without<T extends object, Name extends keyof T & string>(fields: T, names: readonly Name[]): Omit<T, Name> {
  const kept = Object.entries(fields).filter(([name]) => !names.some((each) => each === name));
  return Object.fromEntries(kept) as Omit<T, Name>;
}
