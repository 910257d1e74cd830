import { sql } from "kysely";
import type { Storage, StoredRun } from "../../storage.ts";
import { isStale, runInterruption } from "./interrupt-runs.ts";
import type { RunSignals } from "../signals/run-signals.ts";
import { RUNNING } from "../rows/running-runs.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";

/** The most stale runs that one call interrupts, and how many of them share a transaction. */
const INTERRUPTED_IN_ALL = 50;
const INTERRUPTED_AT_ONCE = 10;

export interface RecoveryConnections {
  readonly db: Db;
  /** A connection only for heartbeats: they must not wait for other queries. */
  readonly pulse: Db;
}

/** The heartbeats of instances, and the interruption of runs whose instance is gone. */
export function runRecovery(
  { db, pulse }: RecoveryConnections,
  dialect: SqlDialect,
  signals: RunSignals,
): Pick<Storage["runs"], "heartbeat" | "interrupt" | "interruptStale"> {
  const interruptFew = runInterruption(db, dialect);
  /** The number of answers to tool calls that were signalled, by run. */
  const signalled = new Map<string, number>();

  async function interrupt(runIds: readonly string[], at: string, staleMs?: number): Promise<readonly StoredRun[]> {
    const interrupted: StoredRun[] = [];
    for (let from = 0; from < runIds.length; from += INTERRUPTED_AT_ONCE) {
      const few = runIds.slice(from, from + INTERRUPTED_AT_ONCE);
      const ended = await interruptFew({ runIds: few, at, ...(staleMs !== undefined && { staleMs }) });
      interrupted.push(...ended);
      const endedIds = ended.map(({ runId }) => runId);
      if (ended.length > 0) await signals.sendToAll("ended", endedIds);
    }
    return interrupted;
  }

  return {
    heartbeat: async (instanceId) => {
      await sql`
        insert into ${dialect.table("instance")} (instance_id, seen_ms) values (${instanceId}, ${dialect.nowMs})
        on conflict (instance_id) do update set seen_ms = excluded.seen_ms
      `.execute(pulse);
      const running = await pulse
        .selectFrom("run")
        .select(["run_id", "cancel_requested"])
        .select((select) =>
          select
            .selectFrom("awaited_call")
            // A call of a page's tool can have two answers: the permission and the decision.
            .select((one) =>
              sql<number | string>`${one.fn.count("decision")} + ${one.fn.count("allowed_at")}`.as("sum"),
            )
            .whereRef("awaited_call.run_id", "=", "run.run_id")
            .as("answers"),
        )
        .where("status", "=", RUNNING)
        .where("instance_id", "=", instanceId)
        .execute();
      const ids = new Set(running.map(({ run_id }) => run_id));
      for (const runId of signalled.keys()) if (!ids.has(runId)) signalled.delete(runId);
      for (const { run_id, cancel_requested, answers } of running) {
        if (cancel_requested === 1) signals.emit({ type: "cancel", runId: run_id });
        const count = Number(answers ?? 0);
        if (count === (signalled.get(run_id) ?? 0)) continue;
        signalled.set(run_id, count);
        signals.emit({ type: "answered", runId: run_id });
      }
      return [...ids];
    },

    interrupt: (runIds, at) => interrupt(runIds, at),

    interruptStale: async (staleMs, at) => {
      const { rows } = await staleRuns(dialect, staleMs).execute(db);
      const interrupted = await interrupt(
        rows.map(({ run_id }) => run_id),
        at,
        staleMs,
      );
      const before = sql<number>`${dialect.nowMs} - ${sql.lit(staleMs)}`;
      await db.deleteFrom("instance").where("seen_ms", "<=", before).execute();
      return interrupted;
    },
  };
}

/**
 * The runs of stale instances. The recursive query steps through the instances that have running runs, from one to the
 * next in the index. It reads one row per instance instead of all running runs.
 */
function staleRuns(dialect: SqlDialect, staleMs: number) {
  const run = dialect.table("run");
  return sql<{ readonly run_id: string }>`
    with recursive writer (instance_id) as (
      select min(instance_id) from ${run} where status = ${RUNNING}
      union all
      select (select min(instance_id) from ${run} where status = ${RUNNING} and instance_id > writer.instance_id)
      from writer where writer.instance_id is not null
    )
    select run.run_id from writer join ${run} on run.instance_id = writer.instance_id
    where run.status = ${RUNNING} and ${isStale(dialect, staleMs)} limit ${sql.lit(INTERRUPTED_IN_ALL)}`;
}
