/** How an active run goes from its model's first event to its stored end. */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Message, MessageStatus, StreamEvent, StreamEventType } from "@nitka/protocol";
import { ModelError } from "../model/model.ts";
import type { Model, ModelRequest, ModelUsage } from "../model/model.ts";
import { StorageUnavailableError } from "../storage/storage.ts";
import type { Storage } from "../storage/storage.ts";
import type { ActiveRun, StopReason } from "./active-run.ts";
import { asOwner } from "./as-owner.ts";
import { describeError } from "./describe-error.ts";
import type { EventLog } from "./event-log.ts";
import { failureTexts } from "./failure-text.ts";
import type { Log } from "./log.ts";
import { endOf } from "./replay.ts";
import type { RunMetrics } from "./run-metrics.ts";
import type { Timings } from "./timings.ts";
import type { TitleService } from "./title-service.ts";

export interface AnswerOptions {
  readonly storage: Storage;
  readonly eventLog: EventLog;
  readonly titles: TitleService;
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
  /** Milliseconds of the machine's clock, when the question came. */
  readonly askedAt: number;
  /** The request that the question came with. */
  readonly requestId: string;
  readonly createdAt: string;
  /** The thread has no title yet. */
  readonly untitled: boolean;
}

type Outcome = StopReason | { readonly type: "complete"; readonly usage: ModelUsage };

/** What only the run itself may say, whatever its model says. */
const ownEvents: ReadonlySet<StreamEventType> = new Set(["start", "finish", "abort"]);

/** After so many events at one go the others are let in: a model in memory would not pause by itself. */
const BURST = 64;

/** Between two attempts to store an end. */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 1_000;

/** So often an answer may be refused by a database that answers: then it is stored without its text. */
const MAX_REFUSALS = 3;

/** Pumps the model to its end, whoever reads along, and stores what came of it. Never rejects. */
export async function answerRun(run: ActiveRun, task: AnswerTask, options: AnswerOptions): Promise<void> {
  const { log, titles, timings } = options;
  run.emit({ type: "start", messageId: run.run.answerId });
  const outcome = await Promise.race([pump(run, task), run.stopped]);
  run.ending = true;
  const status = statusOf(outcome);
  const answer: Message = { ...run.settled(status), createdAt: task.createdAt };
  const titling = isTitled(outcome, answer, task)
    ? titles.title({ runId: run.run.runId, owner: run.owner }, run.run.threadId, task.model, [task.question, answer])
    : Promise.resolve(undefined);
  const early = await Promise.race([titling, sleep(timings.titleBeforeFinishMs, undefined, { ref: false })]);
  if (early !== undefined) run.emit({ type: "data-title", title: early });
  run.end(await end(run, answer, options));
  report(run, task, outcome, options);
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

async function pump(run: ActiveRun, { model, request }: AnswerTask): Promise<Outcome> {
  try {
    const events = model.run({ ...(await request()), signal: run.signal });
    for (let count = 1; ; count += 1) {
      const next = await events.next();
      // Stopped: the end is being stored already, without what comes now.
      if (run.signal.aborted) {
        await events.return({});
        return await run.stopped;
      }
      if (next.done) return hasSaid(run) ? { type: "complete", usage: next.value } : failed(failureTexts.empty);
      if (next.value.type === "error") return failed(next.value.errorText);
      if (!ownEvents.has(next.value.type)) run.emit(next.value);
      if (count % BURST === 0) await setImmediate();
    }
  } catch (error) {
    if (run.signal.aborted) return run.stopped;
    return failed(error instanceof ModelError ? error.message : failureTexts.failed, error);
  }
}

function failed(text: string, cause?: unknown): Outcome {
  return { type: "failed", text, cause };
}

function hasSaid({ answer: { content } }: ActiveRun): boolean {
  return typeof content === "string" || content.some((part) => !("text" in part) || part.text !== "");
}

function statusOf(outcome: Outcome): MessageStatus {
  switch (outcome.type) {
    case "complete":
      return { type: "complete" };
    case "failed":
      return { type: "incomplete", reason: "error", error: outcome.text };
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
 * Stores the end, however long the database is away: the whole answer is in memory. Returns the event that says so: what
 * the storage says, should the run have been ended elsewhere.
 */
async function end(
  run: ActiveRun,
  answer: Message,
  { storage, eventLog, log, clock, closed }: AnswerOptions,
): Promise<StreamEvent> {
  const { runId, threadId, answerId, instanceId } = run.run;
  const at = clock().toISOString();
  let storable = answer;
  let refusals = 0;
  for (let retryMs = FIRST_RETRY_MS; !closed.aborted; retryMs = Math.min(2 * retryMs, LAST_RETRY_MS)) {
    try {
      const tail = [...eventLog.unkept(runId)];
      const ended = await storage.runs.end(runId, storable, at, { log: { seq: run.seq, tail, instanceId } });
      if (ended) return endOf(storable);
      const stored = await asOwner(storage.runs, { runId, owner: run.owner }, (owner) =>
        storage.messages.find(owner, threadId, answerId),
      );
      return endOf(stored?.status?.type === "incomplete" ? stored : answer);
    } catch (error) {
      if (!(error instanceof StorageUnavailableError)) refusals += 1;
      if (refusals === MAX_REFUSALS) storable = unstorable(answer);
      const failure = { ...idsOf(run), error: describeError(error), retryMs };
      log.error(failure, "the end of a run could not be stored; trying until it is");
      await sleep(retryMs, undefined, { signal: closed }).catch(() => undefined);
    }
  }
  return { type: "error", errorText: failureTexts.notKept };
}

/** What is stored of an answer that the database does not take. */
function unstorable(answer: Message): Message {
  return { ...answer, content: [], status: { type: "incomplete", reason: "error", error: failureTexts.notKept } };
}

function report(
  run: ActiveRun,
  { model, askedAt, requestId }: AnswerTask,
  outcome: Outcome,
  { log, metrics }: AnswerOptions,
): void {
  const seconds = (Date.now() - askedAt) / 1000;
  const first = run.firstTokenAt === undefined ? {} : { secondsToFirstToken: (run.firstTokenAt - askedAt) / 1000 };
  const figures = {
    projectId: run.owner.projectId,
    modelId: model.id,
    outcome: outcome.type === "failed" ? "error" : outcome.type,
    seconds,
    ...first,
    ...(outcome.type === "complete" ? outcome.usage : {}),
    events: run.seq,
  } as const;
  metrics.ended(figures);
  log.info({ ...idsOf(run), requestId, ...figures }, "run ended");
}

function idsOf({ run: { runId, threadId } }: ActiveRun) {
  return { runId, threadId };
}
