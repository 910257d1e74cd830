import { sql } from "kysely";
import type { Storage, StoredRun } from "../storage.ts";
import { interruptRun } from "./interrupt-run.ts";
import type { RunSignals } from "./run-signals.ts";
import { RUNNING, lockRunning } from "./running-runs.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";
import { utcTime } from "./utc-time.ts";

/** The heartbeats of instances, and the interruption of runs whose instance is gone. */
export function runRecovery(
  db: Db,
  dialect: SqlDialect,
  signals: RunSignals,
): Pick<Storage["runs"], "heartbeat" | "interrupt" | "interruptStale"> {
  async function interrupt(runIds: readonly string[], at: string): Promise<readonly StoredRun[]> {
    const interrupted: StoredRun[] = [];
    for (const runId of runIds) {
      const interrupting = db.transaction().execute(async (transaction) => {
        const row = await lockRunning(transaction, dialect, runId);
        return row && (await interruptRun(transaction, dialect, row, utcTime(at)));
      });
      const run = await dialect.durable(interrupting);
      if (run) interrupted.push(run);
    }
    if (interrupted.length > 0) {
      await signals.sendToAll(
        "ended",
        interrupted.map(({ runId }) => runId),
      );
    }
    return interrupted;
  }

  return {
    heartbeat: async (instanceId) => {
      await sql`
        insert into ${dialect.table("instance")} (instance_id, seen_ms) values (${instanceId}, ${dialect.nowMs})
        on conflict (instance_id) do update set seen_ms = excluded.seen_ms
      `.execute(db);
      const running = await db
        .selectFrom("run")
        .select(["run_id", "cancel_requested"])
        .select((select) =>
          select
            .selectFrom("awaited_call")
            .select((one) => one.fn.countAll<number | string>().as("count"))
            .whereRef("awaited_call.run_id", "=", "run.run_id")
            .where((is) => is.or([is("decision", "is not", null), is("allowed_at", "is not", null)]))
            .as("answered"),
        )
        .where("status", "=", RUNNING)
        .where("instance_id", "=", instanceId)
        .execute();
      for (const { run_id, cancel_requested, answered } of running) {
        if (cancel_requested === 1) signals.emit({ type: "cancel", runId: run_id });
        if (Number(answered) > 0) signals.emit({ type: "answered", runId: run_id });
      }
      return running.map(({ run_id }) => run_id);
    },

    interrupt,

    interruptStale: async (staleMs, at) => {
      const before = sql<number>`${dialect.nowMs} - ${sql.lit(staleMs)}`;
      const stale = await db
        .selectFrom("run")
        .leftJoin("instance", "instance.instance_id", "run.instance_id")
        .select("run.run_id")
        .where("run.status", "=", RUNNING)
        .where("begun_ms", "<=", before)
        .where((is) => is.or([is("seen_ms", "is", null), is("seen_ms", "<=", before)]))
        .execute();
      const interrupted = await interrupt(
        stale.map(({ run_id }) => run_id),
        at,
      );
      await db.deleteFrom("instance").where("seen_ms", "<=", before).execute();
      return interrupted;
    },
  };
}
