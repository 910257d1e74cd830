import type { LoggedEvent, Storage } from "../../storage/storage.ts";
import { StorageUnavailableError } from "../../storage/storage.ts";
import { describeError } from "../describe-error.ts";
import type { Log } from "../log.ts";
import { APPEND_BACKOFF } from "../timings.ts";

/** Appends the events of this process's runs to their logs in the storage, one batch at a time. */
export interface EventLogWriter {
  add(event: LoggedEvent): void;
  /** The run's events that may not be stored yet, in order. */
  unstored(runId: string): readonly LoggedEvent[];
  /** Whether events of the run were abandoned: its log ends before its answer does, or has a gap. */
  isBroken(runId: string): boolean;
  /** Forgets a run: its remaining events were stored together with its end. */
  close(runId: string): void;
  /** The pending events. */
  readonly backlog: { readonly events: number; readonly bytes: number };
  /** Stops appending. Pending events are lost with the process. */
  stop(): void;
}

export interface EventLogWriterOptions {
  readonly events: Pick<Storage["events"], "append" | "flushMs">;
  readonly logger: Log;
  /**
   * The most bytes of pending events while the database is unavailable. Above it, the log of the run with the oldest
   * pending event is abandoned.
   */
  readonly maxBytes?: number;
}

/** The default of `maxBytes`. */
const MAX_BYTES = 64_000_000;

/**
 * The most runs in one batch, and the milliseconds between two consecutive batches. SQLite blocks the event loop while
 * it writes, so requests need time in between.
 */
const BATCH_RUNS = 125;
const BATCH_PAUSE_MS = 20;

/** The memory that an event needs besides its text, in bytes: the object and its slot in the list. */
const EVENT_BYTES = 100;

/** A run's events that may not be stored yet. */
interface Backlog {
  readonly events: LoggedEvent[];
  bytes: number;
  /** The storage's `flushMs`. Runs with a short one are appended before runs with a longer one. */
  everyMs: number;
  /** When to append them, as a time of `performance.now()`. */
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
  /** No batch is tried before this time: it ends the pause after a batch, or the wait before a retry. */
  let pausedUntil = 0;
  let stopped = false;

  /** To be called whenever events were added or a batch has ended, so that pending events always have a timer. */
  function schedule(dueAt: number): void {
    const at = Math.max(dueAt, pausedUntil);
    if (stopped || appending || (timer !== undefined && timer.at <= at)) return;
    clearTimeout(timer?.handle);
    timer = { at, handle: setTimeout(() => void appendDue(), Math.max(0, at - performance.now())) };
  }

  async function appendDue(): Promise<void> {
    timer = undefined;
    // The runs with pending events have ended meanwhile. This says nothing about the database.
    if (backlogs.size === 0) return;
    appending = true;
    const now = performance.now();
    // During an outage each retry takes all pending events.
    const due = [...backlogs].filter(([, { dueAt }]) => retryMs > 0 || dueAt <= now);
    due.sort(([, one], [, other]) => one.everyMs - other.everyMs);
    try {
      await append(due.slice(0, BATCH_RUNS).map(([runId]) => runId));
      if (retryMs > 0) logger.info({ events: count }, "events can be stored again");
      retryMs = 0;
    } catch (error) {
      if (retryMs === 0) {
        logger.warn({ error: describeError(error), events: count }, "events cannot be stored; they are retried");
      }
      retryMs = Math.min(2 * retryMs || APPEND_BACKOFF.firstMs, APPEND_BACKOFF.lastMs);
    } finally {
      appending = false;
    }
    pausedUntil = performance.now() + (retryMs || BATCH_PAUSE_MS);
    if (backlogs.size > 0) schedule(Math.min(...[...backlogs.values()].map(({ dueAt }) => dueAt)));
  }

  /**
   * Appends the pending events of these runs. A batch that the database refuses for good is split in halves until the
   * refused run is isolated; the log of that run is abandoned.
   */
  async function append(runIds: readonly string[]): Promise<void> {
    const parts = runIds.flatMap((runId) => {
      const backlog = backlogs.get(runId);
      return backlog ? [{ runId, backlog, length: backlog.events.length }] : [];
    });
    if (parts.length === 0) return;
    try {
      await events.append(parts.flatMap(({ backlog, length }) => backlog.events.slice(0, length)));
      // A run may have been closed or abandoned meanwhile.
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
    // The remaining events are newer than those of the other runs, so the run moves to the end.
    backlogs.set(runId, backlog);
    backlog.dueAt = nextMoment(events.flushMs(runId));
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

  function giveUpOldest(): void {
    for (const oldest of backlogs.keys()) {
      if (bytes <= maxBytes) break;
      giveUp(oldest, `more than ${maxBytes} bytes wait for the database`);
    }
  }

  return {
    add(event) {
      const { runId } = event;
      if (stopped || broken.has(runId)) return;
      const weight = bytesOf(event);
      const everyMs = events.flushMs(runId);
      const at = nextMoment(everyMs);
      const backlog = backlogs.get(runId);
      if (backlog) {
        backlog.events.push(event);
        backlog.bytes += weight;
        backlog.everyMs = everyMs;
        backlog.dueAt = Math.min(backlog.dueAt, at);
      } else {
        backlogs.set(runId, { events: [event], bytes: weight, everyMs, dueAt: at });
      }
      count += 1;
      bytes += weight;
      if (bytes > maxBytes) giveUpOldest();
      schedule(at);
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

/**
 * The next time to append events of runs with this `flushMs`. Runs share these times, so that one batch contains many
 * runs.
 */
function nextMoment(everyMs: number): number {
  return (Math.floor(performance.now() / everyMs) + 1) * everyMs;
}

function bytesOf({ data }: LoggedEvent): number {
  return data.length + EVENT_BYTES;
}
