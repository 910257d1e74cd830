import { setTimeout as sleep } from "node:timers/promises";
import type { Message } from "@nitka/protocol";
import { ChatError } from "../../chat-error.ts";
import type { Owner, Storage } from "../../storage/storage.ts";
import type { ActiveRun } from "./active-run.ts";
import { describeError } from "../describe-error.ts";
import type { Log } from "../log.ts";
import { runFailure } from "./run-failure.ts";
import { within } from "../waiting/within.ts";
import { IDLE_SLACK_MS, PARK_MS, RETRY_AFTER_S, RUN_CHECK_MS, WORK_IDLE_MS } from "../timings.ts";
import type { Timings } from "../timings.ts";

/** The runs that this process writes. */
export interface ActiveRuns {
  /**
   * @param idleMs the longest silence, in milliseconds, before the run fails; `null` for no limit
   * @throws ChatError `overloaded` when the process has `maxRuns` runs, or is closing
   */
  add(run: ActiveRun, idleMs: number | null): void;
  remove(run: ActiveRun): void;
  find(runId: string): ActiveRun | undefined;
  /** The owner's run in a thread. */
  findIn(owner: Owner, threadId: string): ActiveRun | undefined;
  /**
   * The visitor has begun the run `to`, or has archived the thread: suggestions of the other runs are no longer needed.
   */
  leave(threadId: string, to?: ActiveRun): void;
  /** The runs that are stored. */
  begun(): readonly ActiveRun[];
  /** The current state of the answers that are being written in a thread. */
  answersIn(threadId: string): readonly Message[];
  /** The number of runs whose answer has not ended: `maxRuns` limits these. */
  readonly writing: number;
  /** Aborted when the server begins to close. No run begins after that. */
  readonly draining: AbortSignal;
  /** Aborted when the remaining runs are parked. */
  readonly closing: AbortSignal;
  /** Aborted when the server has closed. Storing an end is not retried after that. */
  readonly closed: AbortSignal;
  /** Lets the runs continue for a while, then parks them. Resolves when none is left and the drain has ended. */
  close(patience: ClosePatience): Promise<void>;
}

/** How long a closing server waits. */
export interface ClosePatience {
  /** How long requests are still served, in milliseconds. */
  readonly drainMs: number;
  /** How long runs may continue, in milliseconds, counted from the same moment. */
  readonly graceMs: number;
}

export interface ActiveRunsOptions {
  readonly storage: Storage;
  readonly logger: Log;
  readonly maxRuns: number;
  readonly timings: Timings;
}

/** An active run with the time of its last checkpoint attempt and the last event that a checkpoint has stored. */
interface Entry {
  readonly run: ActiveRun;
  readonly idleMs: number | null;
  checkpointAt: number;
  checkpointSeq: number;
}

/**
 * The most checkpoints that are stored at one time; those that have waited longest go first. Runs that began together
 * are due together, and a slow database must have connections left for visitors. The other checkpoints follow at the
 * next checks.
 */
const CHECKPOINTS_AT_ONCE = 8;

export function createActiveRuns(options: ActiveRunsOptions): ActiveRuns {
  const { storage, logger, maxRuns, timings } = options;
  const entries = new Map<string, Entry>();
  const storing = new Set<Entry>();
  const draining = new AbortController();
  const closing = new AbortController();
  const closed = new AbortController();
  let onEmpty: () => void = () => undefined;

  const stopSignals = storage.signals.subscribe(({ type, runId }) => {
    const active = entries.get(runId)?.run;
    if (type === "cancel") active?.stop({ type: "cancelled" });
    if (type === "ended") active?.stop({ type: "lost" });
  });

  const checks = setInterval(
    () => {
      const now = performance.now();
      for (const { run, idleMs } of entries.values()) {
        if (isSilent(run, idleMs, now)) run.stop(runFailure("silent"));
      }
      const due = [...entries.values()].filter(
        (entry) => now - entry.checkpointAt >= timings.checkpointMs && !storing.has(entry),
      );
      due.sort((one, other) => one.checkpointAt - other.checkpointAt);
      for (const entry of due) {
        if (storing.size >= CHECKPOINTS_AT_ONCE) break;
        void checkpoint(entry);
      }
    },
    Math.min(RUN_CHECK_MS, timings.checkpointMs),
  );
  checks.unref();

  async function checkpoint(entry: Entry): Promise<void> {
    const { run } = entry;
    const { runId, seq } = run;
    entry.checkpointAt = performance.now();
    if (run.isEnding || seq === entry.checkpointSeq) return;
    storing.add(entry);
    try {
      await storage.runs.checkpoint(runId, run.answer, seq);
      entry.checkpointSeq = seq;
    } catch (error) {
      logger.warn({ error: describeError(error), runId }, "a checkpoint could not be stored");
    }
    entry.checkpointAt = performance.now();
    storing.delete(entry);
  }

  /** Counts the answers in progress. A late title and suggestions, which follow an answer's end, do not count. */
  function countWriting(): number {
    return [...entries.values()].filter(({ run }) => !run.isStored).length;
  }

  return {
    add(run, idleMs) {
      if (draining.signal.aborted) {
        throw new ChatError("overloaded", "The server is closing.", {
          retryAfter: RETRY_AFTER_S.closing,
          limit: "closing",
        });
      }
      if (countWriting() >= maxRuns) {
        throw new ChatError(
          "overloaded",
          "The server has reached its limit of concurrent answers. Try again in a few seconds.",
          {
            retryAfter: RETRY_AFTER_S.run,
            limit: "maxRuns",
          },
        );
      }
      entries.set(run.runId, { run, idleMs, checkpointAt: performance.now(), checkpointSeq: 0 });
    },
    remove(run) {
      entries.delete(run.runId);
      if (entries.size === 0) onEmpty();
    },
    find: (runId) => entries.get(runId)?.run,
    findIn: ({ projectId, visitorId }, threadId) => {
      for (const { run } of entries.values()) {
        const isOwn = run.owner.projectId === projectId && run.owner.visitorId === visitorId;
        if (isOwn && run.threadId === threadId) return run;
      }
      return undefined;
    },
    leave(threadId, to) {
      for (const { run } of entries.values()) {
        if (run.threadId === threadId && run !== to) run.leave();
      }
    },
    begun: () => [...entries.values()].flatMap(({ run }) => (run.hasBegun ? [run] : [])),
    answersIn: (threadId) =>
      [...entries.values()].flatMap(({ run }) => (run.threadId === threadId ? [run.answer] : [])),
    get writing() {
      return countWriting();
    },
    draining: draining.signal,
    closing: closing.signal,
    closed: closed.signal,
    async close({ drainMs, graceMs }) {
      draining.abort();
      const drained = sleep(drainMs);
      const empty = new Promise<void>((resolve) => {
        onEmpty = resolve;
        if (entries.size === 0) resolve();
      });
      await within(empty, graceMs);
      closing.abort();
      for (const { run } of entries.values()) run.stop({ type: "interrupted" });
      await within(empty, PARK_MS);
      await drained;
      closed.abort();
      if (entries.size > 0) {
        logger.error(
          { runs: entries.size },
          "answers were not stored before the server closed: they will be interrupted",
        );
      }
      clearInterval(checks);
      stopSignals();
    },
  };
}

function isSilent(run: ActiveRun, idleMs: number | null, now: number): boolean {
  if (idleMs === null || run.signs.isPaused || run.signs.lastAt === undefined) return false;
  const silence = now - run.signs.lastAt;
  if (silence <= idleMs + IDLE_SLACK_MS) return false;
  return silence > WORK_IDLE_MS || !(run.signs.awaitsStorage || awaitsTool(run));
}

/** Whether a tool is running: a call has its arguments, has no result, and was not denied. */
function awaitsTool({ answer: { content } }: ActiveRun): boolean {
  if (typeof content === "string") return false;
  return content.some(
    (part) =>
      part.type === "tool-call" && part.args !== undefined && part.result === undefined && part.approval !== "denied",
  );
}
