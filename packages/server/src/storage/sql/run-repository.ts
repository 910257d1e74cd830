import type { Owner, Storage } from "../storage.ts";
import { beginRun } from "./begin-run.ts";
import { createCheckpoints } from "./checkpoints.ts";
import { createRunEnds } from "./end-runs.ts";
import { interruptRun } from "./interrupt-run.ts";
import { ownedThread } from "./owned-thread.ts";
import { runOfRow } from "./run-row.ts";
import type { RunSignals } from "./run-signals.ts";
import { countRunning, lockRunning } from "./running-runs.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";
import { utcTime } from "./utc-time.ts";

/** How many logs are dropped at once: others come in between. */
const FORGOTTEN_AT_ONCE = 50;

export function runRepository(db: Db, dialect: SqlDialect, signals: RunSignals): Storage["runs"] {
  const writeCheckpoint = createCheckpoints(db, dialect);
  const storeEnd = createRunEnds(db, dialect, (runIds) => signals.tell("ended", runIds));
  return {
    begin: (owner, run, question, options) => beginRun(db, dialect, owner, run, question, options),

    checkpoint: (runId, answer, seq) => writeCheckpoint({ runId, answer, seq }),

    end: (runId, answer, at, options) => storeEnd({ ...options, runId, answer, at }),

    find: async (runId) => {
      const row = await db.selectFrom("run").selectAll().where("run_id", "=", runId).executeTakeFirst();
      return row && runOfRow(row);
    },

    findRunning: async (owner, threadId) => {
      const row = await runsOf(db, owner, threadId).where("run.status", "=", "running").executeTakeFirst();
      return row && runOfRow(row);
    },

    findByQuestion: async (owner, threadId, questionId) => {
      const row = await runsOf(db, owner, threadId)
        .where("run.question_id", "=", questionId)
        .orderBy("run.position", "desc")
        .limit(1)
        .executeTakeFirst();
      return row && runOfRow(row);
    },

    heartbeat: async (instanceId, at) => {
      const seen = { instance_id: instanceId, seen_at: utcTime(at) };
      await db
        .insertInto("instance")
        .values(seen)
        .onConflict((conflict) => conflict.column("instance_id").doUpdateSet({ seen_at: seen.seen_at }))
        .execute();
      const unwanted = await db
        .selectFrom("run")
        .select("run_id")
        .where("status", "=", "running")
        .where("instance_id", "=", instanceId)
        .where("cancel_requested", "=", 1)
        .execute();
      for (const { run_id } of unwanted) signals.emit({ type: "cancel", runId: run_id });
    },

    interruptStale: async (before, at) => {
      const stale = await db
        .selectFrom("run")
        .leftJoin("instance", "instance.instance_id", "run.instance_id")
        .select("run.run_id")
        .where("run.status", "=", "running")
        .where("run.started_at", "<", utcTime(before))
        .where((is) => is.or([is("seen_at", "is", null), is("seen_at", "<", utcTime(before))]))
        .execute();
      const interrupted = [];
      for (const { run_id } of stale) {
        const interrupting = db.transaction().execute(async (transaction) => {
          const row = await lockRunning(transaction, dialect, run_id);
          return row && (await interruptRun(transaction, row, utcTime(at)));
        });
        const run = await dialect.durable(interrupting);
        if (run) interrupted.push(run);
      }
      if (interrupted.length > 0) {
        await signals.tell(
          "ended",
          interrupted.map(({ runId }) => runId),
        );
      }
      await db.deleteFrom("instance").where("seen_at", "<", utcTime(before)).execute();
      return interrupted;
    },

    countRunning: (owner) => countRunning(db, owner),

    forget: async (before) => {
      for (;;) {
        const ended = await db
          .selectFrom("run")
          .select("run_id")
          .where("logged", "=", 1)
          .where("ended_at", "<", utcTime(before))
          .limit(FORGOTTEN_AT_ONCE)
          .execute();
        const runIds = ended.map(({ run_id }) => run_id);
        if (runIds.length === 0) return;
        await dialect.relaxed(db, async (transaction) => {
          await transaction.deleteFrom("run_event").where("run_id", "in", runIds).execute();
          await transaction.updateTable("run").set({ logged: 0 }).where("run_id", "in", runIds).execute();
        });
        await new Promise(setImmediate);
      }
    },
  };
}

function runsOf(db: Db, owner: Owner, threadId: string) {
  return ownedThread(db, owner, threadId).innerJoin("run", "run.thread_id", "thread.thread_id").selectAll("run");
}
