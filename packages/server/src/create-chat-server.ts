import type { NodeBindings } from "./http/node-bindings.ts";
import { createAddressBytes } from "./http/address-bytes.ts";
import { createMetrics } from "./http/metrics.ts";
import { createClientNetworks } from "./http/client-address.ts";
import { createForwarded } from "./http/forwarded.ts";
import { createGate } from "./http/gate.ts";
import { createRefusalLog } from "./http/refusal-log.ts";
import { createHostChecks } from "./http/host-checks.ts";
import { createVisitorCredentials } from "./http/visitor-credentials.ts";
import type { ChatServerOptions } from "./options.ts";
import { attachmentOperations } from "./routes/attachments.ts";
import { configOperations } from "./routes/config.ts";
import { serverPages } from "./routes/server-pages.ts";
import { feedbackOperations } from "./routes/feedback.ts";
import { openApiDocument } from "./routes/openapi.ts";
import { createRouter } from "./routes/router.ts";
import { runOperations } from "./routes/run.ts";
import { threadOperations } from "./routes/threads.ts";
import { toolAnswerOperations } from "./routes/tool-answer.ts";
import { visitorOperations } from "./routes/visitor.ts";
import { createActiveRuns } from "./services/runs/active-runs.ts";
import type { ClosePatience } from "./services/runs/active-runs.ts";
import { createAttachmentService } from "./services/files/attachment-service.ts";
import { createByteBudget } from "./services/files/byte-budget.ts";
import { createFollowUpService } from "./services/threads/follow-up-service.ts";
import { createFeedbackService } from "./services/threads/feedback-service.ts";
import { createEventLogWriter } from "./services/runs/event-log-writer.ts";
import { retentionOf, startHousekeeping } from "./services/upkeep/housekeeping.ts";
import { consoleLog } from "./services/console-log.ts";
import { silentLog } from "./services/log.ts";
import { newRandomId } from "./services/new-id.ts";
import { MIN_SECRET_CHARS, readyProjects, replacing } from "./services/projects/ready-projects.ts";
import { createBudgets } from "./services/upkeep/budgets.ts";
import { createReadiness } from "./services/upkeep/readiness.ts";
import { startHeartbeat } from "./services/upkeep/heartbeat.ts";
import { startRecovery } from "./services/upkeep/recovery.ts";
import { createSearchService } from "./services/search/search-service.ts";
import { createReaderScheduler } from "./services/runs/run-reader.ts";
import { createRunService } from "./services/questions/run-service.ts";
import { createThreadService } from "./services/threads/thread-service.ts";
import { scrapedFigures } from "./services/upkeep/scraped-figures.ts";
import { timedStorage } from "./services/upkeep/timed-storage.ts";
import { defaultTimings } from "./services/timings.ts";
import { createTitleService } from "./services/threads/title-service.ts";
import { createUsageService } from "./services/projects/usage-service.ts";
import { createVisitorCalls } from "./services/questions/visitor-calls.ts";
import { startWebhookSender } from "./services/webhooks/webhook-sender.ts";
import { createVisitorService } from "./services/threads/visitor-service.ts";

import { postWebhook } from "./webhooks/post-webhook.ts";

export interface ChatServer {
  /**
   * Handles a request; never rejects. `bindings` are those of `@hono/node-server`. With them, streams are written
   * directly to the Node response, and limits by address use the address of the connection.
   */
  readonly fetch: (request: Request, bindings?: NodeBindings) => Promise<Response>;
  /**
   * Replaces the projects. Requests and runs that have begun keep the project that they began with. A question that
   * names a removed model of its project is answered by the project's default model. A removed project
   * behaves like one that never existed; its data stay.
   *
   * @throws TypeError naming the first invalid setting; then nothing has changed
   */
  readonly replaceProjects: (projects: ChatServerOptions["projects"]) => void;
  /**
   * Closes the server. From now on `/readyz` and new questions get 503, new questions with `Retry-After: 1`; all other
   * requests are served. Runs continue for at most `graceMs` (2,000 by default). The remaining runs are parked: what
   * they have written is stored as `interrupted`. Resolves when all runs have ended and `drainMs` (0 by default) have
   * passed, and cuts off every reader. This takes the longer of the two times, and up to 5,000 ms more while the
   * database is unavailable. Further calls return the promise of the first call.
   */
  readonly close: (patience?: Partial<ClosePatience>) => Promise<void>;
}

/**
 * The bytes that an upload needs in addition to its storage: the pieces being read, and the beginning of the file, from
 * which its type is detected.
 */
const UPLOAD_BYTES = 700_000;

/** Enough for the largest request to a model and one body. With less, some questions could never be answered. */
const MIN_BUFFERED_BYTES = 64_000_000;

/**
 * The server behind the widget, as one web-standard handler.
 *
 * @throws TypeError naming an invalid option
 *
 * @example
 * const storage = await openSqliteStorage({ path: "data/nitka.db" });
 * const server = createChatServer({ storage, secret, projects: { default: { models: [model] } } });
 * serve({ fetch: server.fetch });
 */
export function createChatServer(options: ChatServerOptions): ChatServer {
  const {
    clock = () => new Date(),
    newId = newRandomId,
    log = consoleLog,
    maxRuns = 250,
    trustedProxies = 0,
  } = options;
  const {
    instanceId = options.storage.instanceId ?? newId("instance"),
    basePath = "",
    retentionDays = null,
    archiveDays = 30,
    maxBufferedBytes = 256_000_000,
    secret,
    clientAddress,
  } = options;
  const logger = log === false ? silentLog : log;
  const secrets = [secret].flat();
  if (options.storage.instanceId !== undefined && options.storage.instanceId !== instanceId) {
    throw new TypeError(
      `instanceId is ${JSON.stringify(instanceId)}, but the storage was opened for ${JSON.stringify(options.storage.instanceId)}: ` +
        "signals from other instances would not arrive. Omit the option: the storage's id is used.",
    );
  }
  if (secrets.length === 0 || secrets.some(({ length }) => length < MIN_SECRET_CHARS)) {
    throw new TypeError(
      `secret is too short: it signs cookies, so give at least ${MIN_SECRET_CHARS} random characters.`,
    );
  }
  if (!(maxBufferedBytes >= MIN_BUFFERED_BYTES)) {
    throw new TypeError(
      `maxBufferedBytes is ${maxBufferedBytes}: expected at least ${MIN_BUFFERED_BYTES}, which the files of one answer may need.`,
    );
  }
  const buffers = createByteBudget(maxBufferedBytes);
  const timings = { ...defaultTimings, ...options.timings };
  // Every request looks its project up again.
  const ready = (given: ChatServerOptions["projects"]) => readyProjects(given, options.identify !== undefined);
  const projects = new Map(ready(options.projects));

  const metrics = createMetrics();
  const storage = timedStorage(options.storage, (...request) => metrics.database(...request));
  const eventLog = createEventLogWriter({ events: storage.events, logger });
  const readerScheduler = createReaderScheduler(timings);
  const shared = { storage, projects, eventLog, metrics, logger, clock, newId, instanceId, timings };
  const activeRuns = createActiveRuns({ ...shared, maxRuns });
  const { closing, closed } = activeRuns;
  const titles = createTitleService({ ...shared, closing });
  const followUps = createFollowUpService({ ...shared, closing });
  const usage = createUsageService(shared);
  const visitorCalls = createVisitorCalls(shared);
  const running = { closed, activeRuns, buffers, readerScheduler, titles, followUps, usage, visitorCalls };
  const runs = createRunService({ ...shared, ...running });
  const threads = createThreadService(storage, activeRuns, clock, newId, timings);
  const attachments = createAttachmentService(storage, clock, newId);

  const hostChecks = createHostChecks({ identify: options.identify, admit: options.admit, logger, timings });
  const forwarded = createForwarded({ trustedProxies, logger });
  const visitors = createVisitorCredentials(secrets, clock, newId, forwarded.isSecure, (request) =>
    hostChecks.identify(request),
  );
  const visitorService = createVisitorService(storage, clock, logger, timings);
  const operations = [
    ...configOperations(visitors),
    ...threadOperations(threads, createSearchService(storage)),
    ...runOperations(runs),
    ...feedbackOperations(createFeedbackService(shared)),
    ...toolAnswerOperations(visitorCalls),
    ...attachmentOperations(attachments),
    ...visitorOperations(visitorService, visitors),
  ];
  const pages = serverPages(
    createReadiness(storage, activeRuns.draining, clock),
    metrics,
    () => openApiDocument(operations),
    options.pages,
  );
  const refusals = createRefusalLog(logger);
  const router = createRouter({
    ...shared,
    refusals,
    threads,
    requireConsent: (...visitor) => visitorService.requireConsent(...visitor),
    addressBytes: createAddressBytes(buffers),
    uploadBytes: UPLOAD_BYTES + storage.attachments.heldBytes,
    operations,
    pages,
    visitors,
    forwarded,
    gate: createGate(clock, projects),
    hostChecks,
    clientNetworks: createClientNetworks({ trustedProxies, clientAddress, logger }),
    basePath,
  });

  const heartbeat = startHeartbeat({ ...shared, activeRuns });
  const webhooks = startWebhookSender({ ...shared, heartbeat, post: postWebhook });
  const stops = [
    () => visitorCalls.stop(),
    metrics.watch({
      runs: activeRuns,
      visitorCalls,
      eventLog,
      storage,
      buffers,
      tableSizes: scrapedFigures({}, () => storage.tableBytes(), clock),
      budgets: createBudgets({ storage, projects, clock }),
    }),
    () => refusals.stop(),
    () => heartbeat.stop(),
    startRecovery({ ...shared, heartbeat }),
    startHousekeeping({
      ...shared,
      retentionOf: (projectId) => retentionOf(projects.get(projectId), { retentionDays, archiveDays }),
    }),
  ];
  let closingDown: Promise<void> | undefined;

  return {
    fetch: async (request, bindings = {}) => router.fetch(request, bindings),
    replaceProjects(given) {
      const next = [...ready(given).values()].map((project) => replacing(project, projects.get(project.id)));
      projects.clear();
      for (const project of next) projects.set(project.id, project);
    },
    close({ drainMs = 0, graceMs = timings.graceMs } = {}) {
      closingDown ??= (async () => {
        await activeRuns.close({ drainMs, graceMs });
        await usage.settle();
        await webhooks.stop();
        for (const stop of stops) stop();
        readerScheduler.stop();
        eventLog.stop();
      })();
      return closingDown;
    },
  };
}
