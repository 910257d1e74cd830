import type { LoggedEvent, Storage } from "../storage/storage.ts";
import { StorageUnavailableError } from "../storage/storage.ts";
import { describeError } from "./describe-error.ts";
import type { Log } from "./log.ts";

/** The events of this process' runs on their way to the storage: appended in batches, one at a time. */
export interface EventLog {
  add(event: LoggedEvent): void;
  /** The run's events that may not be kept yet, in order. */
  unkept(runId: string): readonly LoggedEvent[];
  /** Whether events of the run have been given up: its log has an end before the answer's, or a gap. */
  isBroken(runId: string): boolean;
  /** The run is over, and its last events are stored with its end: nothing of it is appended any more. */
  close(runId: string): void;
  /** What waits to be kept. */
  readonly backlog: { readonly events: number; readonly bytes: number };
  stop(): void;
}

export interface EventLogOptions {
  readonly events: Pick<Storage["events"], "append" | "flushMs">;
  readonly log: Log;
  /** Bytes of events that may wait while the database cannot take them. Beyond it the oldest run's are given up. */
  readonly maxBytes?: number;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;
const MAX_BYTES = 64_000_000;

/** What an event weighs beside its text: the object, its place in the list. */
const EVENT_BYTES = 100;

/** A run's events that may not be kept yet. */
interface Backlog {
  readonly events: LoggedEvent[];
  bytes: number;
  /** When they are to be appended, in milliseconds of the process. */
  dueAt: number;
}

export function createEventLog({ events, log, maxBytes = MAX_BYTES }: EventLogOptions): EventLog {
  /** In the order in which the runs' oldest events came. */
  const backlogs = new Map<string, Backlog>();
  const broken = new Set<string>();
  let count = 0;
  let bytes = 0;
  let timer: { readonly at: number; readonly handle: NodeJS.Timeout } | undefined;
  let appending = false;
  let retryMs = 0;
  let stopped = false;

  function schedule(at: number): void {
    if (stopped || appending || (timer !== undefined && timer.at <= at)) return;
    clearTimeout(timer?.handle);
    timer = { at, handle: setTimeout(() => void appendDue(), Math.max(0, at - performance.now())) };
  }

  async function appendDue(): Promise<void> {
    timer = undefined;
    appending = true;
    const now = performance.now();
    // While the database is away the first batch that it takes holds all that has gathered.
    const due = [...backlogs].flatMap(([runId, { dueAt }]) => (retryMs > 0 || dueAt <= now ? [runId] : []));
    try {
      await append(due);
      if (retryMs > 0) log.info({ events: count }, "the database takes events again");
      retryMs = 0;
    } catch (error) {
      if (retryMs === 0) {
        log.warn({ error: describeError(error), events: count }, "events cannot be kept now; trying until they can");
      }
      retryMs = Math.min(2 * retryMs || FIRST_RETRY_MS, LAST_RETRY_MS);
    } finally {
      appending = false;
    }
    const next = Math.min(...[...backlogs.values()].map(({ dueAt }) => dueAt));
    if (backlogs.size > 0) schedule(Math.max(next, performance.now() + retryMs));
  }

  /** Appends what waits of these runs. Of runs that the database refuses for good, each by itself is given up. */
  async function append(runIds: readonly string[]): Promise<void> {
    const parts = runIds.flatMap((runId) => {
      const backlog = backlogs.get(runId);
      return backlog ? [{ runId, backlog, length: backlog.events.length }] : [];
    });
    if (parts.length === 0) return;
    try {
      await events.append(parts.flatMap(({ backlog, length }) => backlog.events.slice(0, length)));
      for (const { runId, backlog, length } of parts)
        if (backlogs.get(runId) === backlog) remove(runId, backlog, length);
    } catch (error) {
      if (error instanceof StorageUnavailableError) throw error;
      const [only] = parts;
      if (parts.length === 1 && only) {
        if (backlogs.get(only.runId) === only.backlog) giveUp(only.runId, "the database refuses its events", error);
        return;
      }
      const ids = parts.map(({ runId }) => runId);
      await append(ids.slice(0, ids.length >> 1));
      await append(ids.slice(ids.length >> 1));
    }
  }

  function remove(runId: string, backlog: Backlog, length: number): void {
    const removed = backlog.events.splice(0, length).reduce((sum, event) => sum + bytesOf(event), 0);
    backlog.bytes -= removed;
    bytes -= removed;
    count -= length;
    backlogs.delete(runId);
    if (backlog.events.length === 0) return;
    // Behind the others: what is left came later.
    backlogs.set(runId, backlog);
    backlog.dueAt = dueAt(runId);
  }

  function drop(runId: string): void {
    const backlog = backlogs.get(runId);
    if (!backlog) return;
    backlogs.delete(runId);
    bytes -= backlog.bytes;
    count -= backlog.events.length;
  }

  function giveUp(runId: string, reason: string, error?: unknown): void {
    drop(runId);
    broken.add(runId);
    const why = error === undefined ? {} : { error: describeError(error) };
    log.error({ runId, reason, ...why }, "the log of a run is given up: who joins it late must wait for its end");
  }

  /** The next moment at which the run's events go: the same one for every run that gathers for as long. */
  function dueAt(runId: string): number {
    const every = events.flushMs(runId);
    return (Math.floor(performance.now() / every) + 1) * every;
  }

  return {
    add(event) {
      const { runId } = event;
      if (stopped || broken.has(runId)) return;
      const weight = bytesOf(event);
      const at = dueAt(runId);
      const backlog = backlogs.get(runId);
      if (backlog) {
        backlog.events.push(event);
        backlog.bytes += weight;
        backlog.dueAt = Math.min(backlog.dueAt, at);
      } else {
        backlogs.set(runId, { events: [event], bytes: weight, dueAt: at });
      }
      count += 1;
      bytes += weight;
      for (const oldest of backlogs.keys()) {
        if (bytes <= maxBytes) break;
        giveUp(oldest, `more than ${maxBytes} bytes wait for the database`);
      }
      if (retryMs === 0) schedule(at);
    },
    unkept: (runId) => backlogs.get(runId)?.events ?? [],
    isBroken: (runId) => broken.has(runId),
    close(runId) {
      drop(runId);
      broken.delete(runId);
    },
    get backlog() {
      return { events: count, bytes };
    },
    stop() {
      stopped = true;
      clearTimeout(timer?.handle);
    },
  };
}

function bytesOf({ data }: LoggedEvent): number {
  return data.length + EVENT_BYTES;
}
