/** The metrics of the server, in Prometheus' text format. */
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { ByteBudget } from "../services/files/byte-budget.ts";
import type { EventLogWriter } from "../services/runs/event-log-writer.ts";
import type { Storage, StorageFigures } from "../storage/storage.ts";
import type { RunMetrics } from "../services/run-metrics.ts";
import type { Budgets } from "../services/upkeep/budgets.ts";
import type { WebhookMetrics } from "../services/webhooks/delivery.ts";
import { createLimitMetrics } from "./limit-metrics.ts";
import type { LimitMetrics } from "./limit-metrics.ts";
import { watchProcess } from "./process-metrics.ts";

export interface Metrics extends RunMetrics, LimitMetrics, WebhookMetrics {
  request(request: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly seconds: number;
  }): void;
  /** Adds the gauges of a server and of its process. Returns a function that stops them. */
  watch(watched: WatchedServer): () => void;
  database(call: string, seconds: number, failed: boolean): void;
  /** The page that Prometheus scrapes. */
  page(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** The sources of the gauges, read at each scrape. */
export interface WatchedServer {
  readonly runs: { readonly writing: number };
  readonly visitorCalls: { readonly waiting: number };
  readonly eventLog: Pick<EventLogWriter, "backlog">;
  readonly storage: Pick<Storage, "figures">;
  readonly buffers: Pick<ByteBudget, "used" | "limit">;
  readonly tableSizes: () => Promise<Readonly<Record<string, number>>>;
  readonly budgets: Budgets;
}

export function createMetrics(): Metrics {
  let watched: WatchedServer | undefined;
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: "nitka_http_request_duration_seconds",
    help: "Time to a response (of a stream: to its headers), by route, method and status",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const runs = new Counter({
    name: "nitka_runs_total",
    help: "Runs that have ended, by outcome",
    labelNames: ["project", "model", "outcome"],
    registers,
  });
  const duration = new Histogram({
    name: "nitka_run_duration_seconds",
    help: "From the question to the stored answer",
    labelNames: ["project", "model"],
    buckets: [0.1, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320],
    registers,
  });
  const firstToken = new Histogram({
    name: "nitka_time_to_first_token_seconds",
    help: "From the question to the first word of the answer",
    labelNames: ["project", "model"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64],
    registers,
  });
  const tokens = new Counter({
    name: "nitka_tokens_total",
    help: "Tokens of all requests to models, by direction (input, cached, output) and purpose (answer, title, suggestions); they add up",
    labelNames: ["project", "model", "direction", "purpose"],
    registers,
  });
  const feedback = new Counter({
    name: "nitka_feedback_total",
    help: "Ratings of answers, by rating (up, down)",
    labelNames: ["project", "rating"],
    registers,
  });
  const calls = new Counter({
    name: "nitka_visitor_calls_total",
    help: "Tool calls that waited for the visitor, by reason (approval, page) and outcome",
    labelNames: ["project", "kind", "outcome"],
    registers,
  });
  const webhookCalls = new Counter({
    name: "nitka_webhook_calls_total",
    help: "Calls of webhooks, by result (ok, error)",
    labelNames: ["project", "result"],
    registers,
  });
  const webhooksFailed = new Counter({
    name: "nitka_webhooks_failed_total",
    help: "Events for webhooks that were given up after 24 hours, by type",
    labelNames: ["project", "type"],
    registers,
  });
  const events = new Counter({ name: "nitka_run_events_total", help: "Events of all runs", registers });
  const streams = new Gauge({ name: "nitka_open_streams", help: "Readers connected now", registers });
  const database = new Histogram({
    name: "nitka_database_duration_seconds",
    help: "Time of a call to the storage, by call and result",
    labelNames: ["call", "result"],
    buckets: [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  gauge(
    "nitka_active_runs",
    "Runs whose answers this process writes now; NITKA_MAX_RUNS limits them",
    () => watched?.runs.writing ?? 0,
  );
  gauge(
    "nitka_visitor_calls_waiting",
    "Tool calls that wait for the visitor",
    () => watched?.visitorCalls.waiting ?? 0,
  );
  gauge("nitka_log_backlog_events", "Events that wait to be stored", () => watched?.eventLog.backlog.events ?? 0);
  gauge(
    "nitka_log_backlog_bytes",
    "Bytes of events that wait to be stored",
    () => watched?.eventLog.backlog.bytes ?? 0,
  );
  gauge(
    "nitka_buffered_bytes",
    "Bytes of bodies, uploads and models' files in memory",
    () => watched?.buffers.used ?? 0,
  );
  gauge(
    "nitka_buffered_bytes_limit",
    "Limit of nitka_buffered_bytes, beyond which requests get 503",
    () => watched?.buffers.limit ?? 0,
  );
  gauge("nitka_database_waiting", "Queries that wait for a connection", () => figures().waiting ?? 0);
  gauge(
    "nitka_database_wait_seconds_total",
    "Time that all queries together have waited for a connection",
    () => (figures().waitedMs ?? 0) / 1000,
  );
  gauge(
    "nitka_database_listening",
    "1 while notifications of other instances arrive, or no other instance is possible",
    () => Number(figures().listening ?? true),
  );
  const tables: Gauge = new Gauge({
    name: "nitka_database_bytes",
    help: "Bytes of the database's tables, indexes included, as of the last minute",
    labelNames: ["table"],
    registers,
    collect: async () => {
      for (const [table, bytes] of Object.entries((await watched?.tableSizes()) ?? {})) tables.set({ table }, bytes);
    },
  });
  gauge("process_resident_memory_bytes", "Memory of the process", () => process.memoryUsage.rss());
  gauge("process_cpu_seconds_total", "Processor time of the process", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });

  function figures(): StorageFigures {
    return watched?.storage.figures() ?? {};
  }

  function gauge(name: string, help: string, read: () => number): void {
    const one: Gauge = new Gauge({ name, help, registers, collect: () => one.set(read()) });
  }

  const limits = createLimitMetrics(registry, () => watched && { figures, budgets: watched.budgets });

  return {
    ...limits,
    request: ({ method, route, status, seconds }) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    watch(server) {
      watched = server;
      const stopWatching = watchProcess(registry);
      return () => {
        stopWatching();
        watched = undefined;
      };
    },
    database: (call, seconds, failed) => database.observe({ call, result: failed ? "error" : "ok" }, seconds),
    answerRated: ({ projectId, rating }) => feedback.inc({ project: projectId, rating }),
    readerOpened: () => streams.inc(),
    readerClosed: () => streams.dec(),
    runEnded({ projectId, modelId, outcome, seconds, secondsToFirstToken, events: count }) {
      const labels = { project: projectId, model: modelId };
      runs.inc({ ...labels, outcome });
      duration.observe(labels, seconds);
      events.inc(count);
      if (secondsToFirstToken !== undefined) firstToken.observe(labels, secondsToFirstToken);
    },
    webhookCalled: ({ projectId, result }) => webhookCalls.inc({ project: projectId, result }),
    webhookFailed: ({ projectId, type }) => webhooksFailed.inc({ project: projectId, type }),
    callEnded: ({ projectId, kind, outcome }) => calls.inc({ project: projectId, kind, outcome }),
    tokensUsed({ projectId, modelId, purpose, inputTokens, cachedInputTokens, outputTokens }) {
      const labels = { project: projectId, model: modelId, purpose };
      tokens.inc({ ...labels, direction: "input" }, inputTokens - cachedInputTokens);
      tokens.inc({ ...labels, direction: "cached" }, cachedInputTokens);
      tokens.inc({ ...labels, direction: "output" }, outputTokens);
    },
    page: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
