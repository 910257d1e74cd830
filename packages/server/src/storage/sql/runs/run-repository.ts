import { sql } from "kysely";
import type { Suggestion } from "@nitka/protocol";
import type { Storage, ThreadStanding } from "../../storage.ts";
import { createRunBegins } from "./begin-run.ts";
import { createCheckpoints } from "./checkpoints.ts";
import { compileOnce } from "../compile-once.ts";
import { createRunEnds } from "./end-runs.ts";
import { ownedThread } from "../rows/owned-thread.ts";
import type { SoughtThread } from "../rows/owned-thread.ts";
import { statusOfRow } from "../rows/message-row.ts";
import { runRecovery } from "./run-recovery.ts";
import { ownerOfRow, runColumns, runOfRow } from "../rows/run-row.ts";
import type { RunSignals } from "../signals/run-signals.ts";
import { RUNNING, countRunning } from "../rows/running-runs.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import type { RunRow } from "../rows/run-row.ts";
import { storedThreadOfRow, threadColumns } from "../rows/thread-row.ts";

/** @param pulse a connection for heartbeats, which must not wait for other queries */
export function runRepository(db: Db, pulse: Db, dialect: SqlDialect, signals: RunSignals): Storage["runs"] {
  const begin = createRunBegins(db, dialect);
  const writeCheckpoint = createCheckpoints(db, dialect);
  const storeEnd = createRunEnds(db, dialect, (runIds) => {
    // Not awaited: a follower that misses the signal finds the end with its next poll.
    void signals.sendToFollowers("ended", runIds);
  });
  const findRunning = compileOnce(({ owner, threadId }: SoughtThread) =>
    ownedThread(db, owner, threadId)
      .innerJoin("run", "run.thread_id", "thread.thread_id")
      .select(runColumns)
      .select("thread.title")
      .where("run.status", "=", RUNNING)
      .compile(),
  );
  const findEnd = compileOnce((runId: string) =>
    db
      .selectFrom("run")
      .innerJoin("thread", "thread.thread_id", "run.thread_id")
      .innerJoin("message", (join) =>
        join.onRef("message.thread_id", "=", "run.thread_id").onRef("message.id", "=", "run.answer_id"),
      )
      .select(["message.status", "message.reason", "message.error", "message.code", "message.suggestions"])
      .select(["thread.title", sql<boolean | number>`message.content = '[]'`.as("is_empty")])
      .where("run.run_id", "=", runId)
      .compile(),
  );
  return {
    begin: (owner, run, question, options) => begin({ owner, run, question }, options),

    checkpoint: (runId, answer, seq) => writeCheckpoint({ runId, answer, seq }),

    end: (runId, answer, at, options) => storeEnd({ ...options, runId, answer, at }),

    ownerOf: async (runId) => {
      const row = await db
        .selectFrom("run")
        .select(["project_id", "visitor_id"])
        .where("run_id", "=", runId)
        .executeTakeFirst();
      return row && ownerOfRow(row);
    },

    findRunning: async (owner, threadId) => {
      const {
        rows: [row],
      } = await db.executeQuery(findRunning({ owner, threadId }));
      return row && { ...runOfRow(row), ...(row.title !== null && { threadTitle: row.title }) };
    },

    findEnd: async (runId) => {
      const {
        rows: [row],
      } = await db.executeQuery(findEnd(runId));
      if (!row) return undefined;
      const status = statusOfRow(row);
      return {
        ...(status && { status }),
        ...(row.suggestions !== null && { suggestions: JSON.parse(row.suggestions) as readonly Suggestion[] }),
        ...(row.title !== null && { title: row.title }),
        isEmpty: Boolean(row.is_empty),
      };
    },

    standing: threadStanding(db),

    ...runRecovery({ db, pulse }, dialect, signals),

    countRunning: (owner) => countRunning(db, owner),

    forget: (keptMs) => dialect.forgetLogs(db, keptMs),
  };
}

interface SoughtQuestion extends SoughtThread {
  readonly questionId: string;
}

/** `Storage["runs"]["standing"]`: the thread, its running run and the question's latest run, in one round trip. */
function threadStanding(db: Db): Storage["runs"]["standing"] {
  const find = compileOnce(({ owner, threadId, questionId }: SoughtQuestion) =>
    ownedThread(db, owner, threadId)
      .leftJoin("run", (join) =>
        join
          .onRef("run.thread_id", "=", "thread.thread_id")
          .on((is) => is.or([is("run.question_id", "=", questionId), is("run.status", "=", RUNNING)])),
      )
      .select(runColumns)
      .select(threadColumns)
      .orderBy("run.position", "desc")
      .compile(),
  );

  return async (owner, threadId, questionId): Promise<ThreadStanding | undefined> => {
    const { rows } = await db.executeQuery(find({ owner, threadId, questionId }));
    const [first] = rows;
    if (!first) return undefined;
    // The left join gives a row of nulls for a thread without runs.
    const runs = rows.filter((row): row is typeof row & RunRow => row.run_id !== null);
    const asked = runs.find(({ question_id }) => question_id === questionId);
    const running = runs.find(({ status }) => status === "running");
    return {
      thread: storedThreadOfRow(first),
      ...(asked && { asked: runOfRow(asked) }),
      ...(running && { running: runOfRow(running) }),
    };
  };
}
