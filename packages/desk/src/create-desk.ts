import { ChatError } from "@nitka/server";
import type { Log, NodeBindings, Project, Storage } from "@nitka/server";
import {
  createByteBudget,
  createClientNetworks,
  createForwarded,
  createRateLimiter,
  defaultTimings,
  describeError,
  matchSegments,
  MIN_SECRET_CHARS,
  newRandomId,
  pathPattern,
  problemResponse,
  safetyHeaders,
  segmentsOf,
  consoleLog,
  silentLog,
} from "@nitka/server/desk-kit";
import type { PathParams } from "@nitka/server/desk-kit";
import type { DeskCall, DeskRoute } from "./routes/desk-call.ts";
import { figuresRoutes } from "./routes/figures.ts";
import { knowledgeRoute } from "./routes/knowledge.ts";
import type { ReadKnowledge } from "./routes/knowledge.ts";
import { readingRoutes } from "./routes/reading.ts";
import { createRecordingShelf, recordingRoutes } from "./routes/recordings.ts";
import { bearerOf, createDeskSession } from "./routes/desk-session.ts";
import type { DeskOperator } from "./routes/desk-session.ts";
import { sessionRoute, wrongKey } from "./routes/session.ts";
import { createDeskFigures } from "./desk-figures.ts";
import { createDeskThreads } from "./desk-threads.ts";

export interface DeskOptions {
  /** The storage of the chat server, which may run in another process. */
  readonly storage: Storage;
  /** The projects that operators see, in the server's form. */
  readonly projects: Readonly<Record<string, Project>>;
  /** The key with which an operator without a name signs in: at least 16 characters, the same on every instance. */
  readonly key?: string;
  /** The operators with names, which appear in the log, and their keys. At least one operator or `key` is required. */
  readonly operators?: readonly Required<DeskOperator>[];
  /** The path that the desk is mounted under. Default: `/desk`. Its API is under `<path>/api`. */
  readonly path?: string;
  /** See `ChatServerOptions`. */
  readonly trustedProxies?: number;
  /** See `ChatServerOptions`. */
  readonly clientAddress?: ((request: Request) => string | undefined) | undefined;
  /** Returns the state of the projects' knowledge. Without it, the desk only shows the unanswered questions. */
  readonly readKnowledge?: ReadKnowledge;
  /** The time that is stored and shown. Default: the machine's clock. */
  readonly clock?: () => Date;
  /** See `ChatServerOptions`. */
  readonly log?: Log | false;
}

/** The API of the operators' desk. It shows visitors' conversations: serve it where only operators can reach it. */
export interface Desk {
  /** Handles a request; never rejects. Resolves to `undefined` for a path outside of the API. */
  readonly fetch: (request: Request, bindings?: NodeBindings) => Promise<Response | undefined>;
}

/**
 * The sign-in attempts of one address per minute. The key is too long to be guessed at any rate; the limit keeps the
 * log short.
 */
const TRIES_PER_MINUTE = 10;

/** The most bytes of recordings in memory while they are read. */
const BUFFERED_BYTES = 64_000_000;

/**
 * The API of the operators' desk: figures of runs, conversations to read, answers to replay.
 *
 * @throws TypeError without a key, and for a key that is too short
 *
 * @example
 * const desk = createDesk({ storage, projects, key });
 * const response = (await desk.fetch(request)) ?? notFound();
 */
export function createDesk({
  storage,
  projects,
  key,
  operators: named = [],
  path = "/desk",
  trustedProxies = 0,
  clientAddress,
  readKnowledge = () => Promise.resolve([]),
  clock = () => new Date(),
  log = consoleLog,
}: DeskOptions): Desk {
  const logger = log === false ? silentLog : log;
  const operators: readonly DeskOperator[] = [...named, ...(key === undefined ? [] : [{ key }])];
  if (operators.length === 0) throw new TypeError("key and operators are missing: nobody could sign in.");
  for (const each of operators) {
    if (each.key.length >= MIN_SECRET_CHARS) continue;
    const where = each.name === undefined ? "key" : `operators: the key of ${JSON.stringify(each.name)}`;
    throw new TypeError(
      `${where} has ${each.key.length} characters: expected at least ${MIN_SECRET_CHARS} random ones.`,
    );
  }
  const { isSecure } = createForwarded({ trustedProxies, logger });
  const session = createDeskSession({ operators, path, clock, isSecure });
  const buffers = createByteBudget(BUFFERED_BYTES);
  const threads = createDeskThreads(storage, projects);
  const shelf = createRecordingShelf(newRandomId);
  const networksOf = createClientNetworks({ trustedProxies, clientAddress, logger });
  const { slowReaderMs, slowBodyMs } = defaultTimings;
  const reading = { logger, slowReaderMs };
  const limiter = createRateLimiter(clock);
  const countTry = (address: string) =>
    void limiter.take([{ name: "sign-ins", of: "address", key: address, perMinute: TRIES_PER_MINUTE }]);
  const routes = [
    sessionRoute({ session, countTry, buffers, logger, slowBodyMs }),
    ...figuresRoutes({ figures: createDeskFigures(storage.desk, projects), projects, clock, ...reading }),
    knowledgeRoute({ storage, projects, readKnowledge, clock, logger }),
    ...recordingRoutes({ threads, shelf, buffers, logger, slowBodyMs }),
    ...readingRoutes({
      ...reading,
      path: "/conversations/:thread/:answer",
      find: ({ thread = "", answer }) => threads.conversation(thread, answer),
      speed: () => 0,
    }),
    ...readingRoutes({
      ...reading,
      path: "/replays/:run/:speed",
      find: ({ run = "" }) => threads.run(run),
      speed: speedOf,
    }),
    ...readingRoutes({
      ...reading,
      path: "/recordings/:recording/:speed",
      find: async ({ recording = "" }) => shelf.get(recording),
      speed: speedOf,
    }),
  ].map((route) => ({ route, pattern: pathPattern(route.path, `${path}/api`) }));

  async function answer(route: DeskRoute, asked: Omit<DeskCall, "operator">): Promise<Response> {
    const { request, address, requestId } = asked;
    const operator = session.operatorOf(request);
    if (!operator && bearerOf(request) !== undefined) {
      countTry(address);
      throw wrongKey(logger, { requestId, address });
    }
    if (!operator && !route.isPublic) throw new ChatError("unauthorized", "Sign in at the desk first.");
    const call = { ...asked, operator: operator?.name };
    const handle = Object.entries(route.methods).find(([name]) => name === request.method)?.[1];
    if (!handle) throw new ChatError("method_not_allowed", "The desk only reads: it changes nothing.");
    return handle(call);
  }

  return {
    async fetch(request, bindings = {}) {
      const url = new URL(request.url);
      const segments = segmentsOf(url.pathname);
      const requestId = newRandomId("request");
      for (const { route, pattern } of routes) {
        const params = matchSegments(pattern, segments);
        if (!params) continue;
        const address = networksOf(request, bindings)[0]?.key ?? "unknown";
        try {
          return await answer(route, { request, url, params, bindings, address, requestId });
        } catch (error) {
          const response = problemResponse(error, safetyHeaders);
          if (response.status >= 500)
            logger.error(
              { requestId, route: route.path, error: describeError(error) },
              "a request to the desk could not be answered",
            );
          return response;
        }
      }
      return undefined;
    },
  };
}

/** The speed factor of a replay: `1`, `4` or `16`; anything else means at once. */
function speedOf({ speed }: PathParams): number {
  const times = Number(speed);
  return Number.isFinite(times) && times > 0 ? times : 0;
}
