import { StorageUnavailableError } from "../../storage.ts";
import { endsAtOnce } from "./end-at-once.ts";
import { endStatements } from "./end-statements.ts";
import type { Endable, EndedRun, RunEnd } from "./end-statements.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { inOneTrip, inTwoTrips } from "./two-trips.ts";
import type { Decision } from "./two-trips.ts";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { RunTable } from "../schema.ts";
import { utcTime } from "../utc-time.ts";
import { spentNotices } from "../usage/spent-notices.ts";

interface Waiting {
  readonly end: RunEnd;
  readonly resolve: (isEnded: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Stores the ends of runs. Ends that arrive while others are being stored share the next round trip.
 *
 * On Postgres one statement ends the running runs. It leaves out runs that had ended before and runs whose thread is
 * locked: each of those takes a transaction of its own, so that an end that waits for its thread does not delay others.
 * On SQLite one transaction stores all ends.
 *
 * @param onEnded called with the runs that were ended
 */
export function createRunEnds(
  db: Db,
  dialect: SqlDialect,
  onEnded: (runIds: readonly string[]) => void,
): (end: RunEnd) => Promise<boolean> {
  const statements = endStatements(db, dialect);
  const endAtOnce = endsAtOnce(db, dialect);
  let waiting: Waiting[] = [];
  let working = false;

  async function work(): Promise<void> {
    working = true;
    // Lets the other ends of this turn of the event loop join the first group.
    await Promise.resolve();
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await storeGroup(group);
    }
    working = false;
  }

  async function storeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      // Not awaited: each may wait for its thread.
      if (dialect.concurrent) void Promise.all((await storeAtOnce(group)).map(storeAlone));
      else await store(group);
    } catch (error) {
      // A single end may make the database refuse the group, and the transaction may accept what the single statement
      // cannot.
      if (!(error instanceof StorageUnavailableError)) await Promise.all(group.map(storeAlone));
      else for (const { reject } of group) reject(error);
    }
  }

  /** Returns the ends that are not stored yet. */
  async function storeAtOnce(group: readonly Waiting[]): Promise<readonly Waiting[]> {
    // The first of two ends of one run counts.
    const first = new Map(group.toReversed().map((waiter) => [waiter.end.runId, waiter]));
    const rows = await endGroup([...first.values()].map(({ end }) => end));
    onEnded(rows.map(({ run_id }) => run_id));
    const stored = new Set(rows.map(({ run_id }) => first.get(run_id)));
    for (const waiter of stored) waiter?.resolve(true);
    return group.filter((waiter) => !stored.has(waiter));
  }

  /** Ends a group of runs. A budget that an end may use up is checked after the end, in the same round trip. */
  async function endGroup(ends: readonly RunEnd[]): Promise<readonly Pick<RunTable, "run_id">[]> {
    const spendings = ends.flatMap(({ runId, at, telling }) =>
      telling?.spent ? [{ telling: telling.spent, visitorId: visitorOf(dialect, runId), at }] : [],
    );
    const ending = endAtOnce(ends);
    if (spendings.length === 0) return (await db.executeQuery(ending)).rows;
    const [ended = []] = await inOneTrip(db, dialect, [ending, ...spentNotices(db, dialect, spendings)]);
    return ended as readonly Pick<RunTable, "run_id">[];
  }

  const storeAlone = (waiter: Waiting) => store([waiter]).catch(waiter.reject);

  /** Stores ends in a transaction. On Postgres it has a single one, because it waits for the thread. */
  async function store(group: readonly Waiting[]): Promise<void> {
    const ends = group.map(({ end }) => end);
    const runIds = ends.map(({ runId }) => runId);
    const reads = { thread: statements.lockThread(runIds[0] ?? ""), runs: statements.read(runIds) };
    const stored = await dialect.durable(
      inTwoTrips(db, dialect, reads, ({ runs }): Decision<ReadonlySet<RunEnd>> => {
        const chosen = chooseEnds(ends, runs);
        return { result: new Set(chosen.keys()), writes: statements.write([...chosen.values()]) };
      }),
    );
    onEnded([...stored].map(({ runId }) => runId));
    for (const { end, resolve } of group) resolve(stored.has(end));
  }

  return (end) =>
    new Promise((resolve, reject) => {
      waiting.push({ end, resolve, reject });
      if (!working) void work();
    });
}

/** The ends to store. The first of two ends of one run counts. */
function chooseEnds(ends: readonly RunEnd[], runs: readonly Endable[]): ReadonlyMap<RunEnd, EndedRun> {
  const byId = new Map(runs.map((run) => [run.run_id, run]));
  const chosen = new Map<RunEnd, EndedRun>();
  for (const end of ends) {
    const run = byId.get(end.runId);
    if (!run || !mayEnd(run, end)) continue;
    chosen.set(end, { ...end, run, isChange: true });
    byId.delete(end.runId);
  }
  return chosen;
}

/**
 * Whether an end may be stored: the run is running, or it was interrupted as stale, its own instance ends it and the
 * thread has no later message.
 */
function mayEnd(run: Endable, { log, at }: RunEnd): boolean {
  if (run.status === "running") return true;
  const isInterrupted = run.status === "incomplete" && run.reason === "interrupted";
  // The end of a parked run is an interruption too. If it were stored again after a lost reply, its tokens would count
  // twice.
  const isThisEnd = run.ended_at === utcTime(at) && run.checkpoint_seq === log?.seq;
  return isInterrupted && !isThisEnd && run.instance_id === log?.instanceId && !run.is_followed;
}

/** The query for the current visitor of a run: its thread may have been claimed. */
function visitorOf({ table }: SqlDialect, runId: string): RawBuilder<string> {
  return sql<string>`select visitor_id from ${table("run")} where run_id = ${runId}`;
}
