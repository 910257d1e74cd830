import { sql } from "kysely";
import type { Storage } from "../storage.ts";
import { attachmentRepository } from "./attachment-repository.ts";
import { eventRepository } from "./event-repository.ts";
import { createLogFollowers } from "./log-followers.ts";
import { messageRepository } from "./message-repository.ts";
import { runRepository } from "./run-repository.ts";
import { createRunSignals } from "./run-signals.ts";
import type { SignalBus } from "./signal-bus.ts";
import { signalRepository } from "./signal-repository.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";
import { threadRepository } from "./thread-repository.ts";
import { usageRepository } from "./usage-repository.ts";
import { visitorRepository } from "./visitor-repository.ts";

/** What a database brings to become a storage. */
export interface SqlParts {
  readonly db: Db;
  /** One connection, on which run logs are appended. */
  readonly log: Db;
  /** A connection that no other query holds up. */
  readonly pulse: Db;
  readonly dialect: SqlDialect;
  readonly bus: SignalBus;
  readonly figures?: Storage["figures"];
  readonly close: () => Promise<void>;
}

/** The storage of any SQL database: one repository a noun. */
export function createSqlStorage({ db, log, pulse, dialect, bus, figures = () => ({}), close }: SqlParts): Storage {
  const signals = createRunSignals(bus);
  const followers = createLogFollowers(db, dialect, (instanceId, runIds) => signals.follow(instanceId, runIds));
  const stopWaking = signals.subscribe(({ runId }) => followers.wake([runId]));
  return {
    threads: threadRepository(db, dialect),
    messages: messageRepository(db),
    runs: runRepository(db, pulse, dialect, signals),
    events: eventRepository(db, log, dialect, signals, followers),
    signals: signalRepository(db, signals),
    attachments: attachmentRepository(db, dialect),
    visitors: visitorRepository(db, dialect, signals),
    reclaim: () => dialect.reclaim("space"),
    figures,
    usage: usageRepository(db, dialect),
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
