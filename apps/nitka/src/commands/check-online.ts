import type { Embeddings } from "@nitka/knowledge";
import { ModelError } from "@nitka/server/model-kit";
import type { ErrorDescription, RunVisitor } from "@nitka/server";
import { createModel, modelNames } from "../models.ts";
import type { ModelName } from "../models.ts";
import { silentLog } from "../log.ts";
import { embeddingsOf } from "../knowledge/project-knowledge.ts";
import { createProjects, toolWarnings, windowProblems } from "../projects.ts";
import type { Settings } from "../read-settings.ts";
import { SchemaVersionError, StorageUnavailableError } from "@nitka/server";
import { randomUUID } from "node:crypto";
import { describeStorage, NoStorageError, openStorageBeside } from "../open-storage.ts";

/** The time limit of a model for one question, in milliseconds. */
const QUESTION_MS = 30_000;

/**
 * Queries the database, each model (including embedding models), and each MCP server in the settings. A model gets up
 * to three tiny questions: a plain one, one with a tool and one with a picture. The last two are left out when the file
 * says that the model does not accept them.
 */
export async function checkOnline(settings: Settings, questionMs = QUESTION_MS): Promise<OnlineReport> {
  const models = await Promise.all([
    ...namedModels(settings).map(async (name) => checkModel(name, settings, questionMs)),
    ...namedEmbeddings(settings).map(async (embeddings) => checkEmbeddings(embeddings, questionMs)),
  ]);
  const servers = await checkServers(settings);
  const all = [await checkStorage(settings), ...models, ...servers];
  return { lines: all.flatMap(({ lines }) => lines), ok: all.every(({ ok }) => ok) };
}

/** Each model once per distinct set of its fields. */
function namedModels(settings: Settings): readonly ModelName[] {
  const named = Object.values(settings.projects).flatMap((fields) => {
    const models = modelNames(fields, settings);
    const others = [fields.titleModel, fields.fallbackModel].filter((id) => id !== undefined);
    return models.concat(others.map((id) => models.find((each) => each.id === id) ?? { id }));
  });
  // The name that visitors see makes no difference.
  const distinct = new Map(named.map((each) => [JSON.stringify({ ...each, name: undefined }), each]));
  return [...distinct.values()].filter(({ id }) => id !== "demo");
}

/** Each embedding model once. */
function namedEmbeddings(settings: Settings): readonly Embeddings[] {
  const named = Object.values(settings.projects).flatMap(
    ({ knowledge }) => (knowledge && embeddingsOf(knowledge, settings)) ?? [],
  );
  return [...new Map(named.map((each) => [each.model, each])).values()];
}

async function checkEmbeddings({ model, embed }: Embeddings, limitMs: number): Promise<OnlineReport> {
  const limit = AbortSignal.timeout(limitMs);
  const begun = performance.now();
  try {
    const [vector] = await embed(["ok"], limit);
    const after = `after ${((performance.now() - begun) / 1000).toFixed(1)} s`;
    if (vector?.length) {
      return { lines: [`✓ ${model} makes vectors of ${vector.length} numbers; the first came ${after}.`], ok: true };
    }
    return { lines: [`✗ ${model} makes no vectors: an empty answer.`], ok: false };
  } catch (error) {
    const problem = limit.aborted ? nothingWithin(limitMs) : problemOfSdk(error);
    return { lines: [`✗ ${model} makes no vectors: ${problem}.`], ok: false };
  }
}

function nothingWithin(limitMs: number): string {
  return `nothing within ${limitMs / 1000} s`;
}

async function checkModel(name: ModelName, settings: Settings, questionMs: number): Promise<OnlineReport> {
  const plain = await ask(name, settings, questionMs, {});
  if (plain.problem !== undefined) return { lines: [`✗ ${name.id} does not answer: ${plain.problem}.`], ok: false };
  const [withTool, withPicture] = await Promise.all([
    name.tools === false ? undefined : ask(name, settings, questionMs, { tools: [tool] }),
    name.input?.includes("image") === false ? undefined : ask(name, settings, questionMs, { picture: true }),
  ]);
  const toolProblem = withTool?.problem;
  const pictureProblem = withPicture?.isWithoutFiles ? "refused" : withPicture?.problem;
  const taken = [
    ...(withTool && toolProblem === undefined ? ["tools"] : []),
    ...(withPicture && pictureProblem === undefined ? ["pictures"] : []),
  ];
  const takes = taken.length === 0 ? "" : ` It takes ${taken.join(" and ")}.`;
  const lines = [
    `✓ ${name.id} answers; its first words came after ${(plain.ms / 1000).toFixed(1)} s.${takes}`,
    ...(toolProblem === undefined
      ? []
      : [
          `! ${name.id} does not answer with tools (${toolProblem}): if it does not support tools, set "tools": false.`,
        ]),
    ...(pictureProblem === undefined
      ? []
      : [
          `! ${name.id} does not answer with a picture (${pictureProblem}): if it cannot read pictures, remove "image" from its "input".`,
        ]),
  ];
  return { lines, ok: true };
}

interface Asked {
  /** Milliseconds until the first part of the answer. */
  readonly ms: number;
  /** A code, a status and a name; never a text of the service, which may contain the key. */
  readonly problem: string | undefined;
  /** Whether the model only answered after a retry without files. */
  readonly isWithoutFiles: boolean;
}

type PageTool = RunVisitor["tools"][number];

const tool: PageTool = {
  name: "nothing",
  description: "Does nothing. Never call it.",
  parameters: { type: "object", properties: {} },
};

/** A picture of one white pixel. */
const pixel = {
  id: "pixel",
  type: "image",
  name: "pixel.png",
  contentType: "image/png",
  size: 70,
  url: "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
} as const;

async function ask(
  name: ModelName,
  settings: Settings,
  questionMs: number,
  { tools = [], picture = false }: { readonly tools?: readonly PageTool[]; readonly picture?: boolean },
): Promise<Asked> {
  const statuses: number[] = [];
  const fetch: typeof globalThis.fetch = async (...request) => {
    const response = await globalThis.fetch(...request);
    statuses.push(response.status);
    return response;
  };
  const stop = new AbortController();
  const limit = setTimeout(() => stop.abort(), questionMs);
  const begun = performance.now();
  const events = createModel(name, settings, { fetch }).run({
    history: [{ id: "q", role: "user", content: "Reply with the word ok.", attachments: picture ? [pixel] : [] }],
    signal: stop.signal,
    contextChars: null,
    readAttachment: async () => Promise.reject(new Error("Nothing is stored")),
    idleMs: null,
    firstByteMs: null,
    toolMs: null,
    visitor: { ...nobody, tools },
  });
  const answered = (problem?: string): Asked => ({
    ms: performance.now() - begun,
    problem,
    isWithoutFiles: picture && [400, 413, 415, 422].includes(statuses[0] ?? 0),
  });
  try {
    for (;;) {
      const { done, value } = await events.next();
      if (done) return answered(stop.signal.aborted ? nothingWithin(questionMs) : "an empty answer");
      if ("delta" in value || value.type.startsWith("tool-")) return answered();
    }
  } catch (error) {
    return answered(problemOf(error));
  } finally {
    clearTimeout(limit);
    stop.abort();
    events.return({}).catch(() => undefined);
  }
}

function problemOf(error: unknown): string {
  if (!(error instanceof ModelError)) return error instanceof Error ? error.name : "an unknown error";
  const { status, cause } = error;
  // Its message is our own.
  const isBroken = cause instanceof Error && cause.name === "BrokenResponseError";
  const own = isBroken ? cause.message : networkCode(error);
  const reason = status === undefined ? own : `HTTP ${status}`;
  return reason === undefined ? error.code : `${error.code}, ${reason}`;
}

/** The AI SDK's description of the last of several attempts. */
function problemOfSdk(error: unknown): string {
  const { lastError = error } = error as { readonly lastError?: unknown };
  if (!(lastError instanceof Error)) return "an unknown error";
  const status = "statusCode" in lastError && typeof lastError.statusCode === "number" ? lastError.statusCode : 0;
  return status > 0 ? `HTTP ${status}` : (networkCode(lastError) ?? lastError.name);
}

/** For example `ECONNREFUSED`, from the innermost cause. */
function networkCode({ cause }: Error): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  return networkCode(cause) ?? ("code" in cause && typeof cause.code === "string" ? cause.code : undefined);
}

function unasked(): never {
  throw new Error("The check ends with the first part of an answer, before a tool runs.");
}

const nobody: RunVisitor = {
  tools: [],
  reportTools: () => undefined,
  mustApprove: () => true,
  approve: unasked,
  runOnPage: unasked,
  reportHidden: () => undefined,
};

/** The fields of a log line about an MCP server. */
interface McpWarning {
  readonly project?: string;
  readonly server?: string;
  readonly error?: ErrorDescription;
}

/** For example `ECONNREFUSED` or `HTTP 401`, from the innermost cause with a code. */
function reasonOf({ name, message, code, cause }: ErrorDescription): string {
  if (cause) return reasonOf(cause);
  if (code === undefined || code === 200) return message ?? name;
  return typeof code === "number" ? `HTTP ${code}` : code;
}

async function checkServers(settings: Settings): Promise<readonly OnlineReport[]> {
  const reasons = new Map<string, string>();
  const warn = ({ project, server, error }: McpWarning) => {
    if (error) reasons.set(`${project}/${server}`, reasonOf(error));
  };
  const projects = createProjects(settings.projects, settings, { ...silentLog, warn });
  try {
    return await Promise.all(
      [...projects.tools].map(async ([id, { tools }]) => {
        const fields = settings.projects[id] ?? {};
        try {
          const listed = await tools.list();
          const full = windowProblems(id, fields, await tools.declaredChars());
          const servers = Object.entries(listed).map(([server, names]) => ({ server, names }));
          return {
            lines: [
              ...servers.map(({ server, names }) =>
                names
                  ? `✓ projects.${id}.mcpServers.${server} has ${names.length} tools: ${names.join(", ")}.`
                  : `✗ projects.${id}.mcpServers.${server} does not answer: ${reasons.get(`${id}/${server}`) ?? "no reason given"}.`,
              ),
              ...full.map((problem) => `✗ ${problem}`),
              ...toolWarnings(id, fields, listed).map((warning) => `! ${warning}`),
            ],
            ok: full.length === 0 && servers.every(({ names }) => names !== undefined),
          };
        } catch (error) {
          return { lines: [`✗ projects.${id}.mcpServers: ${(error as Error).message}`], ok: false };
        }
      }),
    );
  } finally {
    await projects.close();
  }
}

/** The result of the online checks: lines for people, and whether everything answers as expected. */
interface OnlineReport {
  readonly lines: readonly string[];
  readonly ok: boolean;
}

/** Queries the database. It neither creates nor migrates one. */
async function checkStorage(settings: Settings): Promise<OnlineReport> {
  const place = describeStorage(settings);
  try {
    const storage = await openStorageBeside(settings, randomUUID());
    try {
      await storage.ping();
    } finally {
      await storage.close();
    }
    return { lines: [`✓ ${place} answers.`], ok: true };
  } catch (error) {
    const mayMigrate = settings.env.NITKA_MIGRATE === "on";
    if (error instanceof NoStorageError) {
      // An administrator creates a database on a server. The start of the program creates tables and files.
      if (error.canBeMade && mayMigrate) {
        return { lines: [`! ${place} has no database yet. The first start creates it.`], ok: true };
      }
      return { lines: [`✗ ${error.message}`], ok: false };
    }
    if (error instanceof SchemaVersionError && error.isEarlier && mayMigrate) {
      return { lines: [`! ${place} has the schema of an earlier version. The next start migrates it.`], ok: true };
    }
    if (error instanceof StorageUnavailableError) return { lines: [`✗ ${error.message}`], ok: false };
    throw error;
  }
}
