import { sql } from "kysely";
import type { Storage, StorageLog } from "../storage.ts";
import type { FileStore } from "../files/file-store.ts";
import { awaitedCallRepository } from "./runs/awaited-call-repository.ts";
import { attachmentRepository } from "./files/attachment-repository.ts";
import { fileReader, fileRepository } from "./files/file-repository.ts";
import { createDatabaseFiles } from "./files/database-files.ts";
import { deskRepository } from "./desk-repository.ts";
import { eventRepository } from "./runs/event-repository.ts";
import { createLogFollowers } from "./signals/log-followers.ts";
import type { Stores } from "./files/file-repository.ts";
import { messageRepository } from "./threads/message-repository.ts";
import { runRepository } from "./runs/run-repository.ts";
import { searchRepository } from "./search/search-repository.ts";
import { createRunSignals, signalRepository } from "./signals/run-signals.ts";
import type { SignalBus } from "./signals/signal-bus.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";
import { deleteFilesOf } from "./files/sweep-files.ts";
import { threadRepository } from "./threads/thread-repository.ts";
import { closeUnanswered, unansweredRepository } from "./threads/unanswered-repository.ts";
import { usageRepository } from "./usage/usage-repository.ts";
import { webhookRepository } from "./webhooks/webhook-repository.ts";
import { visitorRepository } from "./threads/visitor-repository.ts";

/** The parts of a storage that a database provides. */
export interface SqlParts {
  readonly db: Db;
  /** The single connection for appends to event logs, which serializes them. */
  readonly log: Db;
  /** A connection only for heartbeats, which must not wait for other queries. */
  readonly pulse: Db;
  /** A connection for operators' reads, which must not take connections from visitors. */
  readonly desk: Db;
  readonly dialect: SqlDialect;
  readonly bus: SignalBus;
  /** `Storage["instanceId"]`. */
  readonly instanceId?: string;
  readonly figures?: Storage["figures"];
  /** The store for new files. Default: the database. */
  readonly files?: FileStore | undefined;
  readonly logger: StorageLog;
  readonly close: () => Promise<void>;
}

/** The storage of any SQL database: one repository for each noun. */
export function createSqlStorage(parts: SqlParts): Storage {
  const { db, log, pulse, desk, dialect, bus, instanceId, files, logger, figures = () => ({}), close } = parts;
  const database = createDatabaseFiles(db, dialect);
  const stores: Stores = files ? [files, database] : [database];
  const fileAccount = fileRepository(db, dialect, stores);
  const onError = (error: unknown) => logger.warn({ error: placeOf(error) }, "a listener of runs has failed");
  const signals = createRunSignals(bus, onError);
  const lease = (instanceId: string, runIds: readonly string[]) => signals.follow(instanceId, runIds);
  const followers = createLogFollowers(db, dialect, lease, onError);
  const stopWaking = signals.subscribe(({ runId }) => followers.wake([runId]));
  return {
    ...(instanceId === undefined ? {} : { instanceId }),
    threads: threadRepository(db, dialect),
    messages: messageRepository(db, dialect),
    search: searchRepository(db, dialect),
    runs: runRepository(db, pulse, dialect, signals),
    events: eventRepository(db, log, dialect, signals, followers),
    signals: signalRepository(db, signals),
    attachments: { ...attachmentRepository(db, dialect), ...fileAccount },
    awaitedCalls: awaitedCallRepository(db, dialect, signals),
    visitors: visitorRepository(db, dialect, signals, {
      read: fileReader(stores),
      deleteOf: (owner) => deleteFilesOf(db, stores, owner),
    }),
    reclaim: (what) => dialect.reclaim(what),
    figures,
    tableBytes: async () => {
      const { rows } = await dialect.tableBytes.execute(db);
      return Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes)]));
    },
    usage: usageRepository(db, dialect),
    webhooks: webhookRepository(db, dialect),
    unanswered: unansweredRepository(db, dialect),
    // The desk's connections only read; its one write uses the main connection.
    desk: { ...deskRepository(desk, dialect), closeUnanswered: closeUnanswered(db, dialect) },
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    close: async () => {
      stopWaking();
      signals.stop();
      followers.stop();
      await close();
    },
  };
}

/** The kind of an error and where it was thrown. The message is left out, because it may quote a visitor or a model. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = error.stack?.split("\n").filter((line) => line.startsWith("    at ")) ?? [];
  return [error.name, ...frames.slice(0, 8)].join("\n");
}
