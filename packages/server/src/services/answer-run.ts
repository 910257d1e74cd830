/** How an active run goes from its model's first event to its stored end. */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Message, MessageStatus, StreamEvent, StreamEventType } from "@nitka/protocol";
import { ModelError } from "../model/model.ts";
import type { Model, ModelRequest, ModelUsage } from "../model/model.ts";
import type { Storage } from "../storage/storage.ts";
import type { ActiveRun, StopReason } from "./active-run.ts";
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
}

export interface AnswerTask {
  readonly model: Model;
  /** What the model is asked: read from the storage once the run has begun. */
  readonly request: () => Promise<Omit<ModelRequest, "signal">>;
  readonly question: Message;
  /** Milliseconds of the machine's clock, when the question came. */
  readonly askedAt: number;
  readonly createdAt: string;
  /** The thread has no title yet. */
  readonly untitled: boolean;
}

type Outcome = StopReason | { readonly type: "complete"; readonly usage: ModelUsage };

/** What only the run itself may say, whatever its model says. */
const ownEvents: ReadonlySet<StreamEventType> = new Set(["start", "finish", "abort"]);

/** After so many events at one go the others are let in: a model in memory would not pause by itself. */
const BURST = 64;

/** For how long a database that fails is waited for before an end is given up. */
const STORE_PATIENCE_MS = 10_000;
const STORE_RETRY_MS = 250;

/** Pumps the model to its end, whoever reads along, and stores what came of it. Never rejects. */
export async function answerRun(run: ActiveRun, task: AnswerTask, options: AnswerOptions): Promise<void> {
  const { log, titles, timings } = options;
  run.emit({ type: "start", messageId: run.run.answerId });
  const outcome = await Promise.race([pump(run, task), run.stopped]);
  run.ending = true;
  const status = statusOf(outcome);
  const answer: Message = { ...run.settled(status), createdAt: task.createdAt };
  const titling = isTitled(outcome, answer, task)
    ? titles.title(run.owner, run.run.threadId, task.model, [task.question, answer])
    : Promise.resolve(undefined);
  const early = await Promise.race([titling, sleep(timings.titleBeforeFinishMs, undefined, { ref: false })]);
  if (early !== undefined) run.emit({ type: "data-title", title: early });
  run.say(await end(run, outcome, answer, options));
  report(run, task, outcome, options);
  const late = early ?? (await titling);
  if (late !== undefined && late !== early) run.say({ type: "data-title", title: late });
  run.close();
  if (outcome.type === "failed") {
    log.warn({ ...idsOf(run), error: describeError(outcome.cause ?? outcome.text) }, "run failed");
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

/** Stores the end. Returns the event that tells it: what the storage says, should it have been ended elsewhere. */
async function end(
  run: ActiveRun,
  outcome: Outcome,
  answer: Message,
  { storage, eventLog, log, clock }: AnswerOptions,
): Promise<StreamEvent> {
  const { runId, threadId, answerId } = run.run;
  const deadline = Date.now() + STORE_PATIENCE_MS;
  for (;;) {
    try {
      await eventLog.flush(STORE_PATIENCE_MS);
      if (outcome.type !== "lost" && (await storage.runs.end(runId, answer, clock().toISOString())))
        return endOf(answer);
      const stored = await storage.messages.find(run.owner, threadId, answerId);
      return endOf(stored?.status?.type === "incomplete" ? stored : answer);
    } catch (error) {
      log.error({ ...idsOf(run), error: describeError(error) }, "the end of a run could not be stored");
      if (Date.now() > deadline) return { type: "error", errorText: failureTexts.notKept };
      await sleep(STORE_RETRY_MS);
    }
  }
}

function report(
  run: ActiveRun,
  { model, askedAt }: AnswerTask,
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
  log.info({ ...idsOf(run), ...figures }, "run ended");
}

function idsOf({ run: { runId, threadId } }: ActiveRun) {
  return { runId, threadId };
}
