import type { NodeBindings } from "./http/bindings.ts";
import { createMetrics } from "./http/metrics.ts";
import { createClientNetworks } from "./http/client-address.ts";
import { createGate } from "./http/gate.ts";
import { createVisitors } from "./http/visitor.ts";
import type { ChatServerOptions } from "./options.ts";
import { attachmentOperations } from "./routes/attachments.ts";
import { configOperations } from "./routes/config.ts";
import { serverPages } from "./routes/health.ts";
import { openApiDocument } from "./routes/openapi.ts";
import { createRouter } from "./routes/router.ts";
import { runOperations } from "./routes/run.ts";
import { threadOperations } from "./routes/threads.ts";
import { visitorOperations } from "./routes/visitor.ts";
import { createActiveRuns } from "./services/active-runs.ts";
import type { ClosePatience } from "./services/active-runs.ts";
import { createAttachmentService } from "./services/attachment-service.ts";
import { createByteBudget } from "./services/byte-budget.ts";
import { createEventLog } from "./services/event-log.ts";
import { retentionOf, startHousekeeping } from "./services/housekeeping.ts";
import { silentLog } from "./services/log.ts";
import { newRandomId } from "./services/new-id.ts";
import { MIN_SECRET_CHARS, readyProjects } from "./services/projects.ts";
import { createReadiness } from "./services/readiness.ts";
import { startRunRecovery } from "./services/run-recovery.ts";
import { createReaderPace } from "./services/run-reader.ts";
import { createRunService } from "./services/run-service.ts";
import { createThreadService } from "./services/thread-service.ts";
import { timedStorage } from "./services/timed-storage.ts";
import { defaultTimings } from "./services/timings.ts";
import { createTitleService } from "./services/title-service.ts";
import { createUsageService } from "./services/usage-service.ts";
import { createVisitorService } from "./services/visitor-service.ts";

export interface ChatServer {
  /**
   * Answers a request; never rejects. `bindings` are those of `@hono/node-server`: with them streams are written
   * straight to the Node response, and limits by address can be kept.
   */
  readonly fetch: (request: Request, bindings?: NodeBindings) => Promise<Response>;
  /**
   * Begins to close: `/readyz` answers 503 and new questions 503 with `Retry-After: 1` at once, all other calls are
   * served. Runs go on for at most `graceMs` (2,000 unless given); those left are parked: what they have written is
   * stored as `interrupted`. Resolves when all runs are over and `drainMs` (0 unless given) have passed: then every
   * reader is let go. It takes the longer of the two, and 5,000 ms more where the database stores nothing. The first
   * call's patience holds for later ones.
   */
  readonly close: (patience?: Partial<ClosePatience>) => Promise<void>;
}

/** What an upload takes beside its writing: the pieces on their way, and the file's beginning, by which it is known. */
const UPLOAD_BYTES = 700_000;

/** The largest request that a model is sent, and a body beside it. */
const MIN_BUFFERED_BYTES = 64_000_000;

/**
 * Everything behind the widget as one web-standard handler.
 *
 * @throws TypeError for an option that makes no sense, naming it
 *
 * @example
 * const storage = await openSqliteStorage({ path: "data/nitka.db" });
 * const server = createChatServer({ storage, secret, projects: { default: { models: [model] } } });
 * serve({ fetch: server.fetch });
 */
export function createChatServer(options: ChatServerOptions): ChatServer {
  const { clock = () => new Date(), newId = newRandomId, log = silentLog, maxRuns = 250, trustedProxies = 0 } = options;
  const {
    instanceId = options.storage.instanceId ?? newId("instance"),
    basePath = "",
    retentionDays = null,
    archiveDays = 30,
    maxBufferedBytes = 256_000_000,
    secret,
    clientAddress,
  } = options;
  const secrets = [secret].flat();
  if (options.storage.instanceId !== undefined && options.storage.instanceId !== instanceId) {
    throw new TypeError(
      `instanceId is ${JSON.stringify(instanceId)}, but the storage was opened for ${JSON.stringify(options.storage.instanceId)}: ` +
        "signals of other instances would not arrive. Leave the option out: the storage's own counts.",
    );
  }
  if (secrets.length === 0 || secrets.some(({ length }) => length < MIN_SECRET_CHARS)) {
    throw new TypeError(
      `secret is too short: it signs cookies, so give at least ${MIN_SECRET_CHARS} random characters.`,
    );
  }
  if (!(maxBufferedBytes >= MIN_BUFFERED_BYTES)) {
    throw new TypeError(
      `maxBufferedBytes is ${maxBufferedBytes}: the files of one answer may need as many as ${MIN_BUFFERED_BYTES}.`,
    );
  }
  const buffers = createByteBudget(maxBufferedBytes);
  const timings = { ...defaultTimings, ...options.timings };
  const projects = readyProjects(options.projects);

  const metrics = createMetrics();
  const storage = timedStorage(options.storage, (...call) => metrics.database(...call));
  const eventLog = createEventLog({ events: storage.events, log });
  const pace = createReaderPace(timings);
  const shared = { storage, eventLog, metrics, log, clock, newId, instanceId, timings };
  const activeRuns = createActiveRuns({ ...shared, maxRuns });
  const { closing, closed } = activeRuns;
  const titles = createTitleService({ ...shared, closing });
  const usage = createUsageService(shared);
  const runs = createRunService({ ...shared, closed, activeRuns, buffers, pace, titles, usage });
  const threads = createThreadService(storage, activeRuns, clock, newId);
  const attachments = createAttachmentService(storage, clock, newId);

  const visitors = createVisitors(secrets, clock, newId);
  const operations = [
    ...configOperations(visitors),
    ...threadOperations(threads),
    ...runOperations(runs),
    ...attachmentOperations(attachments),
    ...visitorOperations(createVisitorService(storage), visitors),
  ];
  const pages = serverPages(createReadiness(storage, activeRuns.draining, clock), metrics, () =>
    openApiDocument(operations),
  );
  const router = createRouter({
    ...shared,
    projects,
    buffers,
    uploadBytes: UPLOAD_BYTES + storage.attachments.heldBytes,
    operations,
    pages,
    visitors,
    gate: createGate(clock),
    clientNetworks: createClientNetworks({ trustedProxies, clientAddress, log }),
    basePath,
  });

  const stops = [
    metrics.watch({ runs: activeRuns, eventLog, storage, buffers }),
    startRunRecovery({ ...shared, activeRuns }),
    startHousekeeping({
      ...shared,
      retentionOf: (projectId) => retentionOf(projects.get(projectId), { retentionDays, archiveDays }),
    }),
  ];
  let closingDown: Promise<void> | undefined;

  return {
    fetch: async (request, bindings = {}) => router.fetch(request, bindings),
    close({ drainMs = 0, graceMs = timings.graceMs } = {}) {
      closingDown ??= (async () => {
        await activeRuns.close({ drainMs, graceMs });
        await usage.settle();
        for (const stop of stops) stop();
        pace.stop();
        eventLog.stop();
      })();
      return closingDown;
    },
  };
}
