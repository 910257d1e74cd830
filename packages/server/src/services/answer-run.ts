/** How an active run goes from its model's first event to its stored end. */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Message, MessageStatus, StreamEvent, StreamEventType } from "@nitka/protocol";
import { ModelError } from "../model/model.ts";
import type { Model, ModelRequest, ModelUsage } from "../model/model.ts";
import { StorageUnavailableError } from "../storage/storage.ts";
import type { Storage } from "../storage/storage.ts";
import type { Tokens, UsedTokens } from "../storage/usage.ts";
import type { ActiveRun, StopReason } from "./active-run.ts";
import type { KeepFiles } from "./answer-files.ts";
import { asOwner } from "./as-owner.ts";
import { describeError } from "./describe-error.ts";
import type { EventLog } from "./event-log.ts";
import { failure } from "./failure-text.ts";
import type { Log } from "./log.ts";
import { endOf } from "./replay.ts";
import type { RunMetrics } from "./run-metrics.ts";
import type { Timings } from "./timings.ts";
import type { TitleService } from "./title-service.ts";
import { RunUsage } from "./run-usage.ts";
import type { UsageService } from "./usage-service.ts";

export interface AnswerOptions {
  readonly storage: Storage;
  readonly eventLog: EventLog;
  readonly titles: TitleService;
  readonly usage: UsageService;
  readonly log: Log;
  readonly metrics: RunMetrics;
  readonly clock: () => Date;
  readonly timings: Timings;
  /** Aborted when the server has closed: nothing more is stored. */
  readonly closed: AbortSignal;
}

export interface AnswerTask {
  readonly model: Model;
  /** What the model is asked: read from the storage once the run has begun. */
  readonly request: () => Promise<Omit<ModelRequest, "signal">>;
  readonly question: Message;
  /** Keeps the files that the model makes. */
  readonly keepFiles: KeepFiles;
  /** Milliseconds of the machine's clock, when the question came. */
  readonly askedAt: number;
  /** The request that the question came with. */
  readonly requestId: string;
  readonly createdAt: string;
  /** The thread has no title yet. */
  readonly untitled: boolean;
}

type Outcome = StopReason | { readonly type: "complete"; readonly usage: ModelUsage };

/** What a run comes to: its answer, and what that took. */
interface Result {
  readonly answer: Message;
  readonly used: readonly UsedTokens[];
}

/** What only the run itself may say, whatever its model says. */
const ownEvents: ReadonlySet<StreamEventType> = new Set(["start", "finish", "abort", "data-error"]);

/** After so many events at one go the others are let in: a model in memory would not pause by itself. */
const BURST = 64;

/** Between two attempts to ask a database that is away. */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 1_000;

/** So often an answer may be refused by a database that answers: then it is stored without its text. */
const MAX_REFUSALS = 3;

/** Pumps the model to its end, whoever reads along, and stores what came of it. Never rejects. */
export async function answerRun(run: ActiveRun, task: AnswerTask, options: AnswerOptions): Promise<void> {
  const { log, titles, timings, usage } = options;
  run.emit({ type: "start", messageId: run.run.answerId });
  const runUsage = new RunUsage(run, usage);
  const outcome = await Promise.race([pump(run, task, runUsage), run.stopped]);
  run.ending = true;
  const status = statusOf(outcome);
  const answer: Message = { ...run.settled(status), createdAt: task.createdAt };
  const used = runUsage.take(task.model, answer, outcome.type === "complete" ? outcome.usage : {});
  const { threadId } = run.run;
  const titling = isTitled(outcome, answer, task)
    ? titles.title({ runId: run.run.runId, owner: run.owner }, threadId, task.model, [task.question, answer], (call) =>
        usage.record(run.owner, threadId, call),
      )
    : Promise.resolve(undefined);
  const early = await Promise.race([titling, sleep(timings.titleBeforeFinishMs, undefined, { ref: false })]);
  if (early !== undefined) run.emit({ type: "data-title", title: early });
  run.end(await end(run, { answer, used }, options));
  report(run, task, outcome, used, options);
  const late = early ?? (await titling);
  if (late !== undefined && late !== early) run.say({ type: "data-title", title: late });
  run.close();
  if (outcome.type === "failed") {
    log.warn(
      { ...idsOf(run), requestId: task.requestId, error: describeError(outcome.cause ?? outcome.text) },
      "run failed",
    );
  }
}

async function pump(run: ActiveRun, { model, request, keepFiles }: AnswerTask, usage: RunUsage): Promise<Outcome> {
  try {
    const asked = await whenStorageAnswers(request, run.signal);
    usage.sends(asked);
    const events = model.run({ ...asked, signal: run.signal, onUsage: usage.report });
    for (let count = 1; ; count += 1) {
      const next = await events.next();
      const told = next.done ? [] : await toldOf(next.value, run.signal, keepFiles);
      // Stopped: the end is being stored already, without what comes now.
      if (run.signal.aborted) {
        await events.return({});
        return await run.stopped;
      }
      if (next.done) return hasSaid(run) ? { type: "complete", usage: next.value } : failure("empty");
      if (next.value.type === "error") return { ...failure("failed"), text: next.value.errorText };
      for (const event of told) run.emit(event);
      if (count % BURST === 0) await setImmediate();
    }
  } catch (error) {
    if (run.signal.aborted) return run.stopped;
    if (!(error instanceof ModelError)) return { ...failure("failed"), cause: error };
    return { type: "failed", code: error.code, text: error.message, cause: error };
  }
}

/** What readers are told of an event, the files in it kept. */
async function toldOf(event: StreamEvent, signal: AbortSignal, keepFiles: KeepFiles): Promise<readonly StreamEvent[]> {
  if (ownEvents.has(event.type)) return [];
  return event.type === "file" ? whenStorageAnswers(() => keepFiles(event), signal) : [event];
}

/** A database that is away for a moment delays an answer and does not fail it; the limit of a run's silence ends the wait. */
async function whenStorageAnswers<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof StorageUnavailableError)) throw error;
      await sleep(FIRST_RETRY_MS, undefined, { signal });
    }
  }
}

function hasSaid({ answer: { content } }: ActiveRun): boolean {
  return typeof content === "string" || content.some((part) => !("text" in part) || part.text !== "");
}

function statusOf(outcome: Outcome): MessageStatus {
  switch (outcome.type) {
    case "complete":
      return { type: "complete" };
    case "failed":
      return { type: "incomplete", reason: "error", error: outcome.text, code: outcome.code };
    case "cancelled":
      return { type: "incomplete", reason: "cancelled" };
    case "interrupted":
    case "lost":
      return { type: "incomplete", reason: "interrupted" };
    default:
      return outcome satisfies never;
  }
}

/** A conversation that has begun gets its title; one whose first answer failed waits for the next. */
function isTitled(outcome: Outcome, { content }: Message, { untitled }: AnswerTask): boolean {
  return untitled && (outcome.type === "complete" || (outcome.type === "cancelled" && content.length > 0));
}

/**
 * Stores the end, however long the database is away: the whole answer is in memory. Returns the events that say so: what
 * the storage says, should the run have been ended elsewhere.
 */
async function end(
  run: ActiveRun,
  { answer, used }: Result,
  { storage, eventLog, log, clock, closed }: AnswerOptions,
): Promise<readonly StreamEvent[]> {
  const { runId, threadId, answerId, instanceId } = run.run;
  const at = clock().toISOString();
  let storable = answer;
  let refusals = 0;
  for (let retryMs = FIRST_RETRY_MS; !closed.aborted; retryMs = Math.min(2 * retryMs, LAST_RETRY_MS)) {
    try {
      const tail = [...eventLog.unkept(runId)];
      const ended = await storage.runs.end(runId, storable, at, { log: { seq: run.seq, tail, instanceId }, used });
      if (ended) return endOf(storable);
      const stored = await asOwner(storage.runs, { runId, owner: run.owner }, (owner) =>
        storage.messages.find(owner, threadId, answerId),
      );
      // Ended elsewhere, it was counted there; with its thread gone, nobody else counts it.
      if (!stored) await storage.usage.add(run.owner, threadId, used, at);
      return endOf(stored?.status?.type === "incomplete" ? stored : answer);
    } catch (error) {
      if (!(error instanceof StorageUnavailableError)) refusals += 1;
      if (refusals === MAX_REFUSALS) storable = { ...answer, content: [], status: notKept };
      const described = { ...idsOf(run), error: describeError(error), retryMs };
      log.error(described, "the end of a run could not be stored; trying until it is");
      await sleep(retryMs, undefined, { signal: closed }).catch(() => undefined);
    }
  }
  return endOf({ status: notKept });
}

/** Of an answer that the database does not take. */
const notKept = statusOf(failure("not_kept"));

function report(
  run: ActiveRun,
  { model, askedAt, requestId }: AnswerTask,
  outcome: Outcome,
  used: readonly UsedTokens[],
  { log, metrics }: AnswerOptions,
): void {
  const seconds = (Date.now() - askedAt) / 1000;
  const first = run.firstTokenAt === undefined ? {} : { secondsToFirstToken: (run.firstTokenAt - askedAt) / 1000 };
  const figures = {
    projectId: run.owner.projectId,
    modelId: used.at(-1)?.modelId ?? model.id,
    outcome: outcome.type === "failed" ? "error" : outcome.type,
    seconds,
    ...first,
    events: run.seq,
  } as const;
  metrics.ended(figures);
  const tokens = {
    inputTokens: sumOf(used, "inputTokens"),
    cachedInputTokens: sumOf(used, "cachedInputTokens"),
    outputTokens: sumOf(used, "outputTokens"),
  };
  log.info({ ...idsOf(run), requestId, ...figures, ...tokens }, "run ended");
}

function idsOf({ run: { runId, threadId } }: ActiveRun) {
  return { runId, threadId };
}

function sumOf(used: readonly UsedTokens[], field: keyof Tokens): number {
  return used.reduce((sum, one) => sum + one[field], 0);
}
