import { setTimeout as sleep } from "node:timers/promises";
import type { Message } from "@nitka/protocol";
import { ChatError } from "../chat-error.ts";
import type { Owner, Storage } from "../storage/storage.ts";
import type { ActiveRun } from "./active-run.ts";
import { describeError } from "./describe-error.ts";
import { failure } from "./failure-text.ts";
import type { Log } from "./log.ts";
import type { Timings } from "./timings.ts";

/** The runs that this process pumps. */
export interface ActiveRuns {
  /** @throws ChatError `overloaded` when the process has as many as it may have, or closes */
  add(run: ActiveRun, idleMs: number | null): void;
  remove(run: ActiveRun): void;
  find(runId: string): ActiveRun | undefined;
  /** The owner's run in a thread. */
  findIn(owner: Owner, threadId: string): ActiveRun | undefined;
  /** The answers that are being written in a thread, as far as they are. */
  answersIn(threadId: string): readonly Message[];
  readonly size: number;
  /** Aborted when the server begins to close: no new runs from then on. */
  readonly draining: AbortSignal;
  /** Aborted when the runs that go on are parked. */
  readonly closing: AbortSignal;
  /** Aborted when the server has closed: ends that are not stored by then stay so. */
  readonly closed: AbortSignal;
  /** Lets the runs go on for a while, then parks them. Resolves when there are none left, and the drain is over. */
  close(patience: ClosePatience): Promise<void>;
}

export interface ClosePatience {
  /** For how long calls are still served, in milliseconds. */
  readonly drainMs: number;
  /** For how long runs may go on, in milliseconds, counted from the same moment. */
  readonly graceMs: number;
}

export interface ActiveRunsOptions {
  readonly storage: Storage;
  readonly log: Log;
  readonly clock: () => Date;
  readonly maxRuns: number;
  readonly timings: Timings;
}

/** A tool may work for longer than an upstream may be silent. */
const TOOL_PATIENCE_MS = 600_000;

/** The model watches its upstream itself; this is for those that do not. */
const IDLE_SLACK_MS = 1_000;

/** Runs that began together would come due together: the longest waiting go first, the others in the next rounds. */
const CHECKPOINTS_AT_ONCE = 8;

/** For how long a closing server waits for the ends to be stored. */
const PARK_MS = 5_000;

/** Seconds until a question that a closing server refuses may find another. */
const RETRY_AFTER = 1;

export function createActiveRuns(options: ActiveRunsOptions): ActiveRuns {
  const { storage, log, clock, maxRuns, timings } = options;
  const runs = new Map<string, { readonly run: ActiveRun; readonly idleMs: number | null }>();
  const draining = new AbortController();
  const closing = new AbortController();
  const closed = new AbortController();
  let onEmpty: () => void = () => undefined;

  const stopSignals = storage.signals.subscribe(({ type, runId }) => {
    const active = runs.get(runId)?.run;
    if (type === "cancel") active?.stop({ type: "cancelled" });
    if (type === "ended") active?.stop({ type: "lost" });
  });

  const ticks = setInterval(
    () => {
      const now = Date.now();
      for (const { run, idleMs } of runs.values()) {
        if (isSilent(run, idleMs, now)) run.stop(failure("silent"));
      }
      const due = [...runs.values()].filter(({ run }) => now - run.checkpointAt >= timings.checkpointMs);
      due.sort((one, other) => one.run.checkpointAt - other.run.checkpointAt);
      for (const { run } of due.slice(0, CHECKPOINTS_AT_ONCE)) checkpoint(run, now);
    },
    Math.min(500, timings.checkpointMs),
  );
  ticks.unref();

  function checkpoint(run: ActiveRun, now: number): void {
    run.checkpointAt = now;
    if (run.ending || run.seq === run.checkpointSeq) return;
    run.checkpointSeq = run.seq;
    storage.runs.checkpoint(run.run.runId, run.answer, run.seq, clock().toISOString()).catch((error: unknown) => {
      log.warn({ error: describeError(error), runId: run.run.runId }, "a checkpoint could not be stored");
    });
  }

  return {
    add(run, idleMs) {
      if (draining.signal.aborted) {
        throw new ChatError("overloaded", "The server is closing.", { retryAfter: RETRY_AFTER });
      }
      if (runs.size >= maxRuns) {
        throw new ChatError("overloaded", "The server writes as many answers as it can. Try again in a few seconds.", {
          retryAfter: 5,
        });
      }
      runs.set(run.run.runId, { run, idleMs });
    },
    remove(run) {
      runs.delete(run.run.runId);
      if (runs.size === 0) onEmpty();
    },
    find: (runId) => runs.get(runId)?.run,
    findIn: ({ projectId, visitorId }, threadId) => {
      for (const { run } of runs.values()) {
        const isOwn = run.owner.projectId === projectId && run.owner.visitorId === visitorId;
        if (isOwn && run.run.threadId === threadId) return run;
      }
      return undefined;
    },
    answersIn: (threadId) =>
      [...runs.values()].flatMap(({ run }) => (run.run.threadId === threadId ? [run.answer] : [])),
    get size() {
      return runs.size;
    },
    draining: draining.signal,
    closing: closing.signal,
    closed: closed.signal,
    async close({ drainMs, graceMs }) {
      draining.abort();
      const drained = sleep(drainMs);
      const empty = new Promise<void>((resolve) => {
        onEmpty = resolve;
        if (runs.size === 0) resolve();
      });
      await orAfter(empty, graceMs);
      closing.abort();
      for (const { run } of runs.values()) run.stop({ type: "interrupted" });
      await orAfter(empty, PARK_MS);
      await drained;
      closed.abort();
      if (runs.size > 0) {
        log.error({ runs: runs.size }, "answers were not stored before the server closed: they will be interrupted");
      }
      clearInterval(ticks);
      stopSignals();
    },
  };
}

function isSilent(run: ActiveRun, idleMs: number | null, now: number): boolean {
  if (idleMs === null) return false;
  const silence = now - run.lastEventAt;
  if (silence <= idleMs + IDLE_SLACK_MS) return false;
  return silence > TOOL_PATIENCE_MS || !awaitsTool(run);
}

function awaitsTool({ answer: { content } }: ActiveRun): boolean {
  const last = typeof content === "string" ? undefined : content.at(-1);
  return last?.type === "tool-call" && last.args !== undefined && last.result === undefined;
}

async function orAfter(promise: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const time = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, time]);
  clearTimeout(timer);
}
