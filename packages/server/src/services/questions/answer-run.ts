/** Takes an active run from the first event of its model to its stored end. */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Message, StreamEvent, StreamEventType } from "@nitka/protocol";
import { partsOf } from "@nitka/protocol/message";
import { ModelError } from "../../model/model.ts";
import type { Model, ModelRequest, ReportUsage, VisitorIdentity } from "../../model/model.ts";
import type { EndFigures, Tokens } from "../../storage/storage.ts";
import type { UsedTokens } from "../../storage/usage.ts";
import type { RunTelling } from "../../storage/webhooks.ts";
import type { ActiveRun } from "../runs/active-run.ts";
import { fileBytes } from "../files/answer-files.ts";
import type { KeepFiles } from "../files/answer-files.ts";
import { asRunOwner } from "../runs/as-run-owner.ts";
import type { FollowUpService } from "../threads/follow-up-service.ts";
import { hostContent } from "../runs/host-content.ts";
import { describeError } from "../describe-error.ts";
import type { FileMemory } from "../files/file-memory.ts";
import { runFailure } from "../runs/run-failure.ts";
import { REQUEST_AGAIN } from "../log.ts";
import type { Log } from "../log.ts";
import { isTitledAfter } from "../runs/replay.ts";
import type { RunMetrics } from "../run-metrics.ts";
import { within } from "../waiting/within.ts";
import { MODEL_CLOSE_MS } from "../timings.ts";
import type { Timings } from "../timings.ts";
import type { TitleService } from "../threads/title-service.ts";
import { unansweredEntry, unansweredReason } from "../threads/unanswered-entry.ts";
import { saysSomething } from "./model-request.ts";
import { statusOf, storeEnd } from "./run-end.ts";
import type { EndOptions, Outcome } from "./run-end.ts";
import { RunUsage } from "./run-usage.ts";
import type { UsageService } from "../projects/usage-service.ts";
import type { VisitorCalls } from "./visitor-calls.ts";
import { whenStorageIsThere } from "../waiting/when-storage-is-there.ts";

export interface AnswerOptions extends EndOptions {
  readonly titles: TitleService;
  readonly followUps: FollowUpService;
  readonly usage: UsageService;
  readonly visitorCalls: VisitorCalls;
  readonly metrics: RunMetrics;
  readonly timings: Timings;
}

export interface AnswerTask {
  readonly model: Model;
  /** Builds the request to the model, once the run has begun. */
  readonly request: () => Promise<Omit<ModelRequest, "signal">>;
  /** Called when the end of the answer is stored. What follows it does not count towards the visitor's runs. */
  readonly onEnd: () => void;
  /** Accounts for the memory of the files that are sent to the model. */
  readonly memory: FileMemory;
  readonly question: Message;
  /** The visitor who asked the question. */
  readonly asker?: VisitorIdentity | undefined;
  /** Stores the files that the model makes. */
  readonly keepFiles: KeepFiles;
  /** When the question arrived, as a time of `performance.now()`. */
  readonly askedAt: number;
  /** The id in the log lines of the run. */
  readonly requestId: string;
  readonly createdAt: string;
  /** The webhooks to notify of the run's end. */
  readonly telling: RunTelling | undefined;
  /** Whether the thread has no title yet. */
  readonly untitled: boolean;
  /** Whether an unanswered question is recorded for operators. */
  readonly keepsUnanswered: boolean;
  /** Whether the model suggests follow-up questions. */
  readonly suggests: boolean;
}

/** Events that the server sends itself. A model's events of these types are dropped. */
const serverEvents: ReadonlySet<StreamEventType> = new Set(["start", "finish", "abort", "data-error"]);

/**
 * After this many events the run yields to the event loop, so that other requests are served: a model that has its
 * whole answer in memory would never pause.
 */
const EVENTS_PER_TURN = 64;

/** Reads the model to its end, with or without readers, and stores the answer. */
export async function answerRun(run: ActiveRun, task: AnswerTask, options: AnswerOptions): Promise<void> {
  const { logger, titles, timings, usage, visitorCalls } = options;
  run.append({ type: "start", messageId: run.record.answerId });
  const runUsage = new RunUsage(run, usage);
  const outcome = await Promise.race([appendAnswer(run, task, runUsage, logger), run.stopped]);
  run.beginEnd();
  visitorCalls.end(run);
  const status = statusOf(outcome);
  const answer: Message = { ...run.endedAnswer(status), createdAt: task.createdAt };
  const used = runUsage.total(task.model, answer, outcome.type === "complete" ? outcome.end : {});
  const exchange = [task.question, answer];
  const record: ReportUsage = (call) => usage.record(run.owner, run.threadId, call);
  const titling =
    task.untitled && isTitledAfter(answer, answer.content.length === 0)
      ? titles.title(run, run.threadId, task.model, exchange, record, task.asker)
      : Promise.resolve(undefined);
  const early = await Promise.race([titling, sleep(timings.titleBeforeFinishMs, undefined, { ref: false })]);
  if (early !== undefined) run.append({ type: "data-title", title: early });
  const end = await storeEnd(run, { answer, used, figures: figuresOf(run, task), telling: task.telling }, options);
  run.end(end);
  task.onEnd();
  report(run, task, outcome, used, options);
  await Promise.all([
    titling.then((title) => {
      if (title !== undefined && title !== early) run.sendUnlogged({ type: "data-title", title });
    }),
    task.keepsUnanswered ? keepUnanswered(run, task.question, answer, options) : undefined,
    isSuggestedAfter(end, answer, task)
      ? options.followUps.suggest(run, task.model, exchange, record, task.asker)
      : undefined,
  ]);
  run.close();
  if (outcome.type === "failed") {
    const { code, cause } = outcome;
    // Without a cause, the text is either ours for this code or from an error event of the model.
    const error = cause === undefined ? { code } : describeError(cause);
    logger.warn({ ...idsOf(run), requestId: task.requestId, code, error }, "run failed");
  }
}

/** Appends the model's events. Never rejects: an error of the model or of the storage becomes an outcome. */
async function appendAnswer(run: ActiveRun, task: AnswerTask, usage: RunUsage, logger: Log): Promise<Outcome> {
  const { model, request, memory, keepFiles } = task;
  const content = hostContent((name, reason) => {
    logger.warn({ ...idsOf(run), name, reason }, "the host's own content was left out of an answer");
  });
  let events: ReturnType<Model["run"]> | undefined;
  try {
    // Retries while the storage is unavailable. The run is stopped after `upstreamIdleMs` of this.
    const modelRequest = await whenStorageIsThere(() => run.signs.store(request), run.signal);
    usage.sends(modelRequest);
    events = model.run({
      ...modelRequest,
      signal: run.signal,
      onUsage: usage.report,
      onRequest: () => run.signs.note(),
      onSignOfLife: () => run.signs.note(),
      onRecast: (blockId, really) => run.recast(blockId, really),
      onAgain: (again) => logger.warn({ ...idsOf(run), requestId: task.requestId, ...again }, REQUEST_AGAIN),
      onFallback: ({ code, cause }, fallbackId) => {
        const failure = { modelId: model.id, fallbackId, code, error: describeError(cause) };
        logger.warn({ ...idsOf(run), requestId: task.requestId, ...failure }, "a fallback answers in place of a model");
      },
    });
    for (let count = 1; ; count += 1) {
      const next = await events.next();
      const kept = next.done ? [] : eventsOf(next.value, run, { memory, keepFiles, content });
      // Most events are text and need no waiting.
      const appended = kept instanceof Promise ? await kept : kept;
      // The run was stopped meanwhile. Its end is already being stored without this event.
      if (run.signal.aborted) return await run.stopped;
      if (count === 1) memory.sent();
      if (next.done) {
        return next.value.cutOff || saysSomething(partsOf(run.answer))
          ? { type: "complete", end: next.value }
          : runFailure("empty");
      }
      if (next.value.type === "error") return { ...runFailure("failed"), text: next.value.errorText };
      for (const event of appended) run.append(event);
      if (count % EVENTS_PER_TURN === 0) await setImmediate();
    }
  } catch (error) {
    if (run.signal.aborted) return run.stopped;
    if (!(error instanceof ModelError)) return { ...runFailure("failed"), cause: error };
    return { type: "failed", code: error.code, text: error.message, cause: error };
  } finally {
    if (events) await closeModel(events);
    memory.release();
  }
}

/**
 * Closes a model that was left before its own end, so that its `finally` blocks run. Does not wait for a model that
 * hangs there.
 */
async function closeModel(events: ReturnType<Model["run"]>): Promise<void> {
  const closed = events.return({}).catch(() => undefined);
  await within(closed, MODEL_CLOSE_MS);
}

interface EventHandling {
  readonly memory: FileMemory;
  readonly keepFiles: KeepFiles;
  readonly content: ReturnType<typeof hostContent>;
}

/** The events to append for an event of the model: files become attachments, and the host's own content is checked. */
function eventsOf(
  event: StreamEvent,
  run: ActiveRun,
  { memory, keepFiles, content }: EventHandling,
): readonly StreamEvent[] | Promise<readonly StreamEvent[]> {
  if (serverEvents.has(event.type)) return [];
  if (event.type === "data" || event.type === "data-suggestions") return [content(event) ?? []].flat();
  const bytes = fileBytes(event);
  if (bytes === undefined) return [event];
  const kept = () => whenStorageIsThere(() => run.signs.store(() => keepFiles(event)), run.signal);
  // The later requests of the run contain these files too.
  return run.signs.store(() => memory.read(bytes)).then(kept);
}

/** Whether to ask the model for suggestions after this answer: the answer is complete and has no suggestions yet. */
function isSuggestedAfter(end: readonly StreamEvent[], { suggestions }: Message, { suggests }: AnswerTask): boolean {
  const last = end.at(-1);
  return suggests && suggestions === undefined && last?.type === "finish" && last.finishReason === "stop";
}

/**
 * Records a question that the site's pages did not answer, for operators. A failure here does not affect the answer.
 */
async function keepUnanswered(
  run: ActiveRun,
  question: Message,
  answer: Message,
  { storage, logger, clock }: AnswerOptions,
): Promise<void> {
  const reason = unansweredReason(answer);
  if (reason === undefined) return;
  const { threadId } = run;
  const entry = unansweredEntry({ threadId, question, answer, at: clock().toISOString() }, reason);
  try {
    await asRunOwner(storage.runs, run, (owner) => storage.unanswered.keep(owner, entry));
  } catch (error) {
    logger.warn({ ...idsOf(run), error: describeError(error) }, "an unanswered question could not be stored");
  }
}

function report(
  run: ActiveRun,
  { model, askedAt, requestId }: AnswerTask,
  outcome: Outcome,
  used: readonly UsedTokens[],
  { logger, metrics }: AnswerOptions,
): void {
  const seconds = (performance.now() - askedAt) / 1000;
  const first = run.firstTokenAt === undefined ? {} : { secondsToFirstToken: (run.firstTokenAt - askedAt) / 1000 };
  const figures = {
    projectId: run.owner.projectId,
    modelId: used.at(-1)?.modelId ?? model.id,
    outcome:
      outcome.type === "failed"
        ? "error"
        : outcome.type === "complete"
          ? (outcome.end.cutOff ?? "complete")
          : outcome.type,
    seconds,
    ...first,
    events: run.seq,
  } as const;
  metrics.runEnded(figures);
  const tokens = {
    inputTokens: sumOf(used, "inputTokens"),
    cachedInputTokens: sumOf(used, "cachedInputTokens"),
    outputTokens: sumOf(used, "outputTokens"),
  };
  logger.info({ ...idsOf(run), requestId, ...figures, ...tokens }, "run ended");
}

function figuresOf({ firstTokenAt, rejoins }: ActiveRun, { askedAt }: AnswerTask): EndFigures {
  return { rejoins, ...(firstTokenAt !== undefined && { firstTokenMs: Math.round(firstTokenAt - askedAt) }) };
}

function idsOf({ runId, threadId }: ActiveRun) {
  return { runId, threadId };
}

function sumOf(used: readonly UsedTokens[], field: keyof Tokens): number {
  return used.reduce((sum, one) => sum + one[field], 0);
}
