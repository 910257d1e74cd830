import { StorageUnavailableError } from "../../storage.ts";
import { endsAtOnce } from "./end-at-once.ts";
import type { RunEnd } from "./end-row.ts";
import { endStatements } from "./end-statements.ts";
import type { Endable, EndedRun } from "./end-statements.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { inOneTrip, inTwoTrips } from "./two-trips.ts";
import type { Decision } from "./two-trips.ts";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { RunTable } from "../schema.ts";
import { utcTime } from "../utc-time.ts";
import { spentNotices } from "../usage/spent-notices.ts";

/**
 * The result of an end. `over`: the run had ended before, or is gone. `locked`: another transaction has locked its
 * thread.
 */
type Outcome = "ended" | "over" | "locked";

interface Waiting {
  readonly end: RunEnd;
  readonly resolve: (isEnded: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Stores the ends of runs. Ends that arrive while others are being stored share the next round trip.
 *
 * On Postgres one statement ends the running runs. It leaves out runs that had ended before and runs whose thread is
 * locked. Those, and all ends on other databases, take a transaction of two steps.
 *
 * @param onEnded called with the runs that were ended
 */
export function createRunEnds(
  db: Db,
  dialect: SqlDialect,
  onEnded: (runIds: readonly string[]) => void,
): (end: RunEnd) => Promise<boolean> {
  const statements = endStatements(db, dialect);
  const endAtOnce = dialect.concurrent ? endsAtOnce(db, dialect) : undefined;
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
    let left = group;
    try {
      left = await storeAtOnce(group);
      if (left.length === 0) return;
      const outcomes = await store(left.map(({ end }) => end));
      const locked: Waiting[] = [];
      for (const [index, waiter] of left.entries()) {
        const outcome = outcomes[index];
        if (outcome === "locked") locked.push(waiter);
        else waiter.resolve(outcome === "ended");
      }
      // Each is stored separately, so that an end that waits for its thread does not delay the others.
      void Promise.all(locked.map(storeAlone));
    } catch (error) {
      const isRefused = !(error instanceof StorageUnavailableError);
      // A single end may make the database refuse the group, and the transaction may accept what the single statement
      // cannot.
      if (isRefused) await Promise.all(left.map(storeAlone));
      else for (const { reject } of left) reject(error);
    }
  }

  /** Returns the ends that are not stored yet. */
  async function storeAtOnce(group: readonly Waiting[]): Promise<readonly Waiting[]> {
    if (!endAtOnce) return group;
    // The first of two ends of one run counts.
    const first = new Map(group.toReversed().map((waiter) => [waiter.end.runId, waiter]));
    const rows = await endGroup(
      endAtOnce,
      [...first.values()].map(({ end }) => end),
    );
    onEnded(rows.map(({ run_id }) => run_id));
    const stored = new Set<Waiting>();
    for (const { run_id } of rows) {
      const waiter = first.get(run_id);
      if (!waiter) continue;
      stored.add(waiter);
      waiter.resolve(true);
    }
    return group.filter((waiter) => !stored.has(waiter));
  }

  /** Ends a group of runs. A budget that an end may use up is checked after the end, in the same round trip. */
  async function endGroup(
    endAtOnce: ReturnType<typeof endsAtOnce>,
    ends: readonly RunEnd[],
  ): Promise<readonly Pick<RunTable, "run_id">[]> {
    const spendings = ends.flatMap(({ runId, at, telling }) =>
      telling?.spent ? [{ telling: telling.spent, visitorId: visitorOf(dialect, runId), at }] : [],
    );
    const ending = endAtOnce(ends);
    if (spendings.length === 0) return (await db.executeQuery(ending)).rows;
    const [ended = []] = await inOneTrip(db, dialect, [ending, ...spentNotices(db, dialect, spendings)]);
    return ended as readonly Pick<RunTable, "run_id">[];
  }

  async function storeAlone({ end, resolve, reject }: Waiting): Promise<void> {
    try {
      const [outcome] = await store([end]);
      resolve(outcome === "ended");
    } catch (error) {
      reject(error);
    }
  }

  async function store(ends: readonly RunEnd[]): Promise<readonly Outcome[]> {
    const runIds = ends.map(({ runId }) => runId);
    const looks = { held: statements.hold(runIds), runs: statements.look(runIds) };
    const outcomes = await dialect.durable(
      inTwoTrips(db, dialect, looks, ({ held, runs }): Decision<readonly Outcome[]> => {
        const { outcomes, ended } = chooseEnds(ends, runs, dialect.concurrent ? held : runs);
        return { result: outcomes, writes: statements.write(ended) };
      }),
    );
    onEnded(ends.flatMap(({ runId }, index) => (outcomes[index] === "ended" ? [runId] : [])));
    return outcomes;
  }

  return (end) =>
    new Promise((resolve, reject) => {
      waiting.push({ end, resolve, reject });
      if (!working) void work();
    });
}

/**
 * Decides which ends are stored. The first of two ends of one run counts.
 *
 * @param held the threads that this transaction has locked
 */
function chooseEnds(
  ends: readonly RunEnd[],
  runs: readonly Endable[],
  held: readonly { readonly thread_id: string }[],
): { readonly outcomes: readonly Outcome[]; readonly ended: readonly EndedRun[] } {
  const byId = new Map(runs.map((run) => [run.run_id, run]));
  const threads = new Set(held.map(({ thread_id }) => thread_id));
  const chosen = new Map<string, EndedRun>();
  const outcomes = ends.map((end): Outcome => {
    const run = byId.get(end.runId);
    if (run && !threads.has(run.thread_id)) return "locked";
    if (!run || !mayEnd(run, end) || chosen.has(end.runId)) return "over";
    chosen.set(end.runId, { ...end, run, isChange: true });
    return "ended";
  });
  return { outcomes, ended: [...chosen.values()] };
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
