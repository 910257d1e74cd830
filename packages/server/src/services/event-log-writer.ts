import { setImmediate } from "node:timers/promises";
import type { LoggedEvent, Storage } from "../storage/storage.ts";
import { StorageUnavailableError } from "../storage/storage.ts";
import { describeError } from "./describe-error.ts";
import type { Log } from "./log.ts";
import { APPEND_BACKOFF } from "./timings.ts";

/** Appends the events of this process's runs to their logs in the storage: in batches, one batch at a time. */
export interface EventLogWriter {
  add(event: LoggedEvent): void;
  /** The run's events that may not be stored yet, in order. */
  unstored(runId: string): readonly LoggedEvent[];
  /** Whether events of the run were given up: its log ends before its answer does, or has a gap. */
  isBroken(runId: string): boolean;
  /** Forgets a run: its remaining events were stored together with its end. */
  close(runId: string): void;
  /** What waits to be stored. */
  readonly backlog: { readonly events: number; readonly bytes: number };
  /** Appends nothing from now on. What waits is dropped with the process. */
  stop(): void;
}

export interface EventLogWriterOptions {
  readonly events: Pick<Storage["events"], "append" | "flushMs">;
  readonly logger: Log;
  /** Bytes of events that may wait while the database is away. Above that the run with the oldest waiting event is given up. */
  readonly maxBytes?: number;
}

/** The default of `maxBytes`. */
const MAX_BYTES = 64_000_000;

/** The most runs in one batch. SQLite blocks the event loop while it writes. */
const BATCH_RUNS = 250;

/** What an event takes in memory beside its text: the object and its place in the list. */
const EVENT_BYTES = 100;

/** A run's events that may not be stored yet. */
interface Backlog {
  readonly events: LoggedEvent[];
  bytes: number;
  /** When to append them, on the clock of `performance.now()`. */
  dueAt: number;
}

export function createEventLogWriter({ events, logger, maxBytes = MAX_BYTES }: EventLogWriterOptions): EventLogWriter {
  /** Ordered by the age of the oldest event. */
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
    // During an outage each retry takes everything.
    const due = [...backlogs].flatMap(([runId, { dueAt }]) => (retryMs > 0 || dueAt <= now ? [runId] : []));
    try {
      for (let from = 0; from < due.length; from += BATCH_RUNS) {
        if (from > 0) await setImmediate();
        await append(due.slice(from, from + BATCH_RUNS));
      }
      if (retryMs > 0) logger.info({ events: count }, "events are stored again");
      retryMs = 0;
    } catch (error) {
      if (retryMs === 0) {
        logger.warn(
          { error: describeError(error), events: count },
          "events cannot be stored now; trying until they can",
        );
      }
      retryMs = Math.min(2 * retryMs || APPEND_BACKOFF.firstMs, APPEND_BACKOFF.lastMs);
    } finally {
      appending = false;
    }
    const next = Math.min(...[...backlogs.values()].map(({ dueAt }) => dueAt));
    if (backlogs.size > 0) schedule(Math.max(next, performance.now() + retryMs));
  }

  /**
   * Appends what waits of these runs. A batch that the database refuses for good is split in halves until the refused run is
   * alone, and that run is given up.
   */
  async function append(runIds: readonly string[]): Promise<void> {
    const parts = runIds.flatMap((runId) => {
      const backlog = backlogs.get(runId);
      return backlog ? [{ runId, backlog, length: backlog.events.length }] : [];
    });
    if (parts.length === 0) return;
    try {
      await events.append(parts.flatMap(({ backlog, length }) => backlog.events.slice(0, length)));
      // A run may have been closed or given up meanwhile.
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
    // The rest is newer than the events of the other runs, so the run moves to the end.
    backlogs.set(runId, backlog);
    backlog.dueAt = dueAt(runId);
  }

  function forget(runId: string): void {
    const backlog = backlogs.get(runId);
    if (!backlog) return;
    backlogs.delete(runId);
    bytes -= backlog.bytes;
    count -= backlog.events.length;
  }

  function giveUp(runId: string, reason: string, error?: unknown): void {
    forget(runId);
    broken.add(runId);
    const why = error === undefined ? {} : { error: describeError(error) };
    logger.error(
      { runId, reason, ...why },
      "the log of a run is given up: a reader that rejoins must wait for the run's end",
    );
  }

  /**
   * When the run's events are to be appended next. Runs with the same `flushMs` share the moment, so that one batch has
   * the events of all of them.
   */
  function dueAt(runId: string): number {
    const intervalMs = events.flushMs(runId);
    return (Math.floor(performance.now() / intervalMs) + 1) * intervalMs;
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
    unstored: (runId) => backlogs.get(runId)?.events ?? [],
    isBroken: (runId) => broken.has(runId),
    close(runId) {
      forget(runId);
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
