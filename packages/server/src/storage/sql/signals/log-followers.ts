import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { LogBatch, LoggedEvent } from "../../storage.ts";
import { compileOnce } from "../compile-once.ts";
import { eventsOfRows } from "../rows/run-event-rows.ts";
import { RENEWAL_MS } from "./run-leases.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";

/** Reads event logs for all followers on this instance, with one query at a time for any number of followers. */
export interface LogFollowers {
  follow(runId: string, afterSeq: number, listener: (batch: LogBatch) => void): () => void;
  /** Reads the logs of those of the runs that are followed here. */
  readonly wake: (runIds: readonly string[]) => void;
  stop(): void;
}

/** Milliseconds between two polls of all followed logs: a notification may have been lost. */
const SAFETY_POLL_MS = 1000;

/**
 * @param lease sends the instance that writes these runs a lease on them, so that it appends often and notifies this
 * one. Resolves to whether it was sent
 * @param onError called with the errors that a follower's listener throws, and with the reason why a lease was not sent
 */
export function createLogFollowers(
  db: Db,
  dialect: SqlDialect,
  lease: (instanceId: string, runIds: readonly string[]) => Promise<boolean>,
  onError: (error: unknown) => void,
): LogFollowers {
  const find = logsAfter(db, dialect);
  const followers = new Map<string, Set<Follower>>();
  /** When the lease on each run was last renewed. */
  const leased = new Map<string, number>();
  /** The runs whose leases must be sent, by instance. */
  const wanted = new Map<string, Set<string>>();
  /** The instances that are being sent leases. */
  const leasing = new Set<string>();
  let due = new Set<string>();
  let reading = false;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function wake(runIds: Iterable<string>): void {
    for (const runId of runIds) if (followers.has(runId)) due.add(runId);
    if (due.size > 0 && !reading) void readDue();
  }

  /** Runs one read at a time. Runs that are woken meanwhile are in the next read. */
  async function readDue(): Promise<void> {
    reading = true;
    try {
      // Lets other runs that are woken in this turn of the event loop join.
      await Promise.resolve();
      while (due.size > 0) {
        const runIds = due;
        due = new Set();
        await read(runIds);
      }
    } finally {
      reading = false;
    }
  }

  async function read(runIds: ReadonlySet<string>): Promise<void> {
    const cursors = [...runIds].flatMap((runId) => {
      const all = followers.get(runId);
      return all ? [[runId, Math.min(...[...all].map(({ cursor }) => cursor))] as const] : [];
    });
    if (cursors.length === 0) return;
    // While the database is unavailable, no cursor moves. The safety poll tries again.
    const logs = await readLogs(db, find, new Map(cursors)).catch(() => new Map<string, Log>());
    renewLeases(logs);
    for (const [runId, log] of logs) {
      for (const follower of followers.get(runId) ?? []) {
        if (log.ended) remove(runId, follower);
        const batch = nextBatch(follower, log);
        if (batch) tell(runId, follower, batch);
      }
    }
  }

  /**
   * Hands a batch to a follower. A follower that throws has lost events: it gets a broken end, and the other followers
   * of the run continue.
   */
  function tell(runId: string, follower: Follower, batch: LogBatch): void {
    try {
      follower.listener(batch);
    } catch (error) {
      onError(error);
      remove(runId, follower);
      if (!batch.end) tell(runId, follower, { events: [], end: "broken" });
    }
  }

  function renewLeases(logs: ReadonlyMap<string, Log>): void {
    const now = performance.now();
    const due = [...logs].filter(([runId, { ended }]) => !ended && now - (leased.get(runId) ?? -Infinity) > RENEWAL_MS);
    for (const [runId, { instanceId }] of due) {
      const runIds = wanted.get(instanceId) ?? new Set();
      wanted.set(instanceId, runIds.add(runId));
      if (!leasing.has(instanceId)) void sendLeases(instanceId);
    }
  }

  /** Sends leases to an instance, one request at a time. The next read requests a lease that was not sent again. */
  async function sendLeases(instanceId: string): Promise<void> {
    leasing.add(instanceId);
    try {
      for (let runIds = wanted.get(instanceId); runIds; runIds = wanted.get(instanceId)) {
        wanted.delete(instanceId);
        const now = performance.now();
        const isSent = await lease(instanceId, [...runIds]);
        if (isSent) for (const runId of runIds) if (followers.has(runId)) leased.set(runId, now);
      }
    } catch (error) {
      onError(error);
    } finally {
      leasing.delete(instanceId);
    }
  }

  function remove(runId: string, follower: Follower): void {
    const all = followers.get(runId);
    all?.delete(follower);
    if (all?.size === 0) {
      followers.delete(runId);
      leased.delete(runId);
    }
    if (followers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    follow: (runId, afterSeq, listener) => {
      const follower: Follower = { cursor: afterSeq, listener };
      const all = followers.get(runId);
      if (all) all.add(follower);
      else followers.set(runId, new Set([follower]));
      // A reader that has waited for the storage may arrive after `stop`: nothing would clear its timer.
      if (!isStopped) timer ??= setInterval(() => wake(followers.keys()), SAFETY_POLL_MS).unref();
      wake([runId]);
      return () => remove(runId, follower);
    },
    wake,
    stop: () => {
      isStopped = true;
      clearInterval(timer);
      followers.clear();
    },
  };
}

interface Follower {
  cursor: number;
  readonly listener: (batch: LogBatch) => void;
}

interface Log {
  /** The instance that writes the run; empty when the run does not exist. */
  readonly instanceId: string;
  readonly events: readonly LoggedEvent[];
  readonly ended: boolean;
  /** The `seq` of the last event in the stored answer. When the run has ended, it is the last event of the run. */
  readonly answeredSeq: number;
}

/**
 * Moves the cursor over the following events up to the first gap, and returns these events and the end. Events after a
 * gap wait until it closes.
 */
function nextBatch(follower: Follower, { events, ended, answeredSeq }: Log): LogBatch | undefined {
  const later: LoggedEvent[] = [];
  for (const event of events) {
    if (event.seq <= follower.cursor) continue;
    if (event.seq > follower.cursor + 1) break;
    follower.cursor = event.seq;
    later.push(event);
  }
  if (ended) {
    const lastSeq = Math.max(answeredSeq, events.at(-1)?.seq ?? 0);
    return { events: later, end: follower.cursor < lastSeq ? "broken" : "whole" };
  }
  return later.length > 0 ? { events: later } : undefined;
}

/** The query of `readLogs`. Its parameter is a JSON list of run ids and cursors. */
function logsAfter(db: Db, dialect: SqlDialect): (cursors: string) => CompiledQuery<LogRow> {
  const runId = dialect.jsonValue<string>(0, "text");
  return compileOnce((cursors: string) =>
    sql<LogRow>`
      select ${runId} as run_id, run.status, run.instance_id, run.checkpoint_seq,
        run_event.seq, run_event.last_seq, run_event.data
      from ${dialect.jsonRows(cursors)}
      left join ${dialect.table("run")} on run.run_id = ${runId}
      left join ${dialect.table("run_event")} on run_event.slot = run.log_slot and run_event.run_id = run.run_id
        and run_event.last_seq > ${dialect.jsonValue(1, "integer")}
      order by 1, run_event.seq
    `.compile(db),
  );
}

/**
 * Reads the events after each cursor, and whether each run has ended, in one query, so that no event can follow an end.
 */
async function readLogs(
  db: Db,
  find: (cursors: string) => CompiledQuery<LogRow>,
  cursors: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, Log>> {
  const { rows } = await db.executeQuery(find(JSON.stringify([...cursors])));
  const logs = new Map<string, Log>();
  for (const [id, ofRun] of Map.groupBy(rows, (row) => row.run_id)) {
    const after = cursors.get(id) ?? 0;
    const written = ofRun.flatMap(({ seq, last_seq, data }) =>
      seq === null || last_seq === null || data === null ? [] : [{ run_id: id, seq, last_seq, data }],
    );
    const [run] = ofRun;
    logs.set(id, {
      instanceId: run?.instance_id ?? "",
      events: eventsOfRows(written, after),
      ended: run?.status !== "running",
      answeredSeq: run?.checkpoint_seq ?? 0,
    });
  }
  return logs;
}

interface LogRow {
  readonly run_id: string;
  readonly status: string | null;
  readonly instance_id: string | null;
  readonly checkpoint_seq: number | null;
  readonly seq: number | null;
  readonly last_seq: number | null;
  readonly data: string | null;
}
