import type { PageTool, RunTrigger } from "@nitka/protocol";
import { ChatError, notFound, unprocessable } from "../../chat-error.ts";
import type { Model } from "../../model/model.ts";
import type {
  BeginRun,
  FoundRun,
  NewRun,
  Owner,
  StoredRun,
  StoredThread,
  ThreadStanding,
} from "../../storage/storage.ts";
import { ActiveRun } from "../runs/active-run.ts";
import { answerFiles } from "../files/answer-files.ts";
import { answerRun } from "./answer-run.ts";
import type { AnswerOptions, AnswerTask } from "./answer-run.ts";
import { storeQuestion } from "./store-question.ts";
import type { StoredQuestion } from "./store-question.ts";
import type { ByteBudget } from "../files/byte-budget.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import { createFileMemory } from "../files/file-memory.ts";
import { describeError } from "../describe-error.ts";
import { checkPageTools } from "../tools/page-tools.ts";
import { parseEventId } from "../runs/event-id.ts";
import type { EventId } from "../runs/event-id.ts";
import { modelRequest } from "./model-request.ts";
import type { RequestContext } from "./model-request.ts";
import { createNearBudget } from "../projects/near-budget.ts";
import type { NewId } from "../new-id.ts";
import { contextOf } from "./question-context.ts";
import type { QuestionContext } from "./question-context.ts";
import { fileCharsOf } from "../files/question-files.ts";
import { checkQuestion } from "./question.ts";
import type { AskedQuestion } from "./question.ts";
import type { ReadyProject } from "../projects/ready-projects.ts";
import { createRunStreams } from "../runs/run-streams.ts";
import type { RunStream, RunStreamsOptions } from "../runs/run-streams.ts";
import { RETRY_AFTER_S } from "../timings.ts";
import { budgetExceeded } from "../projects/token-budget.ts";

export interface AskOptions {
  readonly question: AskedQuestion;
  readonly trigger: RunTrigger;
  readonly modelId?: string | undefined;
  /** The tools of the visitor's page. */
  readonly tools: readonly PageTool[];
  readonly context: QuestionContext;
  /**
   * Called before a model is asked.
   *
   * @throws ChatError when the visitor may not ask now
   */
  readonly admit: () => Promise<Admission>;
  /**
   * Called with the number of bytes before they are stored.
   *
   * @throws ChatError when no more are accepted
   */
  readonly takeBytes: (bytes: number) => void;
  /** The id in the log lines of the run. */
  readonly requestId: string;
}

/**
 * Releases what a question has taken from its visitor's limits. One of the methods must be called; a second call does
 * nothing.
 */
export interface Admission {
  /** To be called when the question has not begun a run. */
  readonly refused: () => void;
  /** To be called when the end of its run is stored. */
  readonly ended: () => void;
}

export interface RunService {
  /** Begins a run, joins the run that the same question has begun before, or replays its answer. */
  ask(owner: Owner, project: ReadyProject, threadId: string, options: AskOptions): Promise<RunStream>;
  /**
   * Joins the run in progress.
   *
   * @param after the id of the last event that the reader has; `undefined` streams the run from its first event
   * @returns `undefined` when no run is in progress, or when `after` is not an event of that run
   */
  join(
    owner: Owner,
    project: ReadyProject,
    threadId: string,
    after: string | undefined,
  ): Promise<RunStream | undefined>;
  /** Stops the run in progress, on any instance. Returns whether there was one. */
  cancel(owner: Owner, threadId: string): Promise<boolean>;
}

export interface RunServiceOptions extends AnswerOptions, RunStreamsOptions {
  readonly buffers: ByteBudget;
  readonly newId: NewId;
  readonly instanceId: string;
}

/** A question that is stored with its run, and the other data that its answer needs. */
type BegunRun = StoredQuestion & RequestContext & Pick<AnswerTask, "model" | "askedAt" | "requestId" | "onEnd">;

export function createRunService(options: RunServiceOptions): RunService {
  const { storage, activeRuns, buffers, eventLog, newId, instanceId, logger, clock } = options;
  const streams = createRunStreams(options);
  const nearBudget = createNearBudget(storage.usage, clock);

  /**
   * Handles a question that began no run. If the id was posted before, the reader joins its run; other outcomes are
   * errors.
   *
   * A question's id is its idempotency key. `Storage["runs"]["begin"]` decides under the thread's lock whether the id
   * is known. `outcomeOf` predicts the same from an earlier read, so that a repeated question needs no transaction.
   */
  async function joinOrRefuse(
    owner: Owner,
    project: ReadyProject,
    { questionId, thread }: { readonly questionId: string; readonly thread: StoredThread },
    begun: Exclude<BeginRun, { readonly outcome: "begun" }>,
  ): Promise<RunStream> {
    switch (begun.outcome) {
      case "known":
        return streams.readRun(owner, project, titled(begun.run, thread));
      case "busy":
        // The same regeneration was posted twice.
        if (begun.run.questionId === questionId) return streams.readRun(owner, project, titled(begun.run, thread));
        throw new ChatError("run_in_progress", "An answer is being written in this thread: wait for it, or cancel it.");
      case "full":
        throw tooManyRuns(begun.running);
      case "spent":
        throw budgetExceeded(begun.whose, clock());
      case "taken":
        throw unprocessable(`The id ${questionId} belongs to another message of this thread.`);
      case "missing":
        if (begun.what === "thread") throw notFound("thread");
        throw unprocessable(`The message's ${begun.what} is not in this thread.`);
      default:
        return begun satisfies never;
    }
  }

  /** Begins a run. The checks that can refuse questions for the rest of a day come before the conversation is read. */
  async function beginRun(
    owner: Owner,
    project: ReadyProject,
    standing: ThreadStanding,
    asked: AskOptions,
  ): Promise<RunStream> {
    const { thread } = standing;
    const { limits } = project;
    const model = modelOf(project, asked.modelId);
    // Storing the question counts the runs too. This count is for questions with files, which would be stored in vain.
    const hasFiles = fileCharsOf(asked.question) > 0;
    const running = limits.runsAtOnce === null || !hasFiles ? 0 : await storage.runs.countRunning(owner);
    if (limits.runsAtOnce !== null && running >= limits.runsAtOnce) throw tooManyRuns(running);
    const budget = await nearBudget(project);
    const spender = budget && (await storage.usage.spent(owner, budget, clock().toISOString()));
    if (spender) throw budgetExceeded(spender, clock());
    const record: NewRun = {
      runId: newId("run"),
      threadId: thread.threadId,
      questionId: asked.question.id,
      answerId: newId("message"),
      instanceId,
    };
    const run = new ActiveRun(record, owner, eventLog, project.toolViews);
    // Registered before it is stored: as soon as it is stored, a cancel or the same question may look for it.
    activeRuns.add(run, limits.upstreamIdleMs);
    let admission: Admission | undefined;
    const giveUp = () => {
      // The run may be stored in spite of the error, and may have readers: they are cut off.
      run.abandon();
      activeRuns.remove(run);
      admission?.refused();
    };
    let begun: Awaited<ReturnType<typeof storeQuestion>>;
    try {
      admission = await asked.admit();
      const { ended: onEnd } = admission;
      const askedAt = performance.now();
      const question = { ...asked, thread, model };
      begun = await storeQuestion(storage, run, project, question, { clock, newId, budget, take: asked.takeBytes });
      if (begun.outcome === "begun") {
        activeRuns.leave(thread.threadId, run);
        const { context, requestId } = asked;
        const visitor = options.visitorCalls.visitorOf(run, project, asked.tools);
        startAnswer(run, project, thread, { ...begun, context, visitor, model, askedAt, requestId, onEnd });
        return streams.readActive(run, project);
      }
    } catch (error) {
      giveUp();
      throw error;
    }
    giveUp();
    return joinOrRefuse(owner, project, { questionId: asked.question.id, thread }, begun);
  }

  /** Writes the answer in the background. */
  function startAnswer(run: ActiveRun, project: ReadyProject, thread: StoredThread, begun: BegunRun): void {
    const untitled = thread.title === undefined || thread.title === "";
    const memory = createFileMemory(buffers, run.signal);
    const request = () => modelRequest(storage, run, project, begun, memory);
    const keepFiles = answerFiles(run, begun.question, project.limits, options);
    const { followUps: suggests, knowledge } = project;
    const { asker } = contextOf(begun.context, project, run);
    const keepsUnanswered = knowledge !== undefined;
    const task = { ...begun, asker, request, memory, keepFiles, untitled, suggests, keepsUnanswered };
    answerRun(run, task, options)
      .catch((error: unknown) => {
        logger.error({ error: describeError(error), runId: run.runId }, "a run broke off");
        run.abandon();
      })
      .finally(() => {
        activeRuns.remove(run);
        // Also when a model does not stop.
        memory.release();
        // Also when no end was stored.
        begun.onEnd();
      });
  }

  return {
    async ask(owner, project, threadId, asked) {
      const { question, trigger, modelId, tools } = asked;
      const standing = await storage.runs.standing(owner, threadId, question.id);
      if (!standing) throw notFound("thread");
      const model = modelOf(project, modelId);
      const outcome = outcomeOf(standing, trigger);
      const { thread } = standing;
      if (outcome?.outcome === "known") return streams.readRun(owner, project, titled(outcome.run, thread));
      // Checked before `busy`: an invalid question gets its own error instead of the advice to wait.
      if (trigger === "submit-message") checkQuestion(question, project);
      await checkPageTools(tools, model, project.knowledge);
      if (!outcome) return beginRun(owner, project, standing, asked);
      return joinOrRefuse(owner, project, { questionId: question.id, thread }, outcome);
    },

    async join(owner, project, threadId, after) {
      const run = await storage.runs.findRunning(owner, threadId);
      if (!run) {
        if (!(await storage.threads.find(owner, threadId))) throw notFound("thread");
        return undefined;
      }
      const last = after === undefined ? undefined : parseEventId(after);
      if (after !== undefined && (last?.runId !== run.runId || isFuture(last))) return undefined;
      const active = activeRuns.find(run.runId);
      if (active) active.rejoins += 1;
      return streams.readRun(owner, project, run, last?.seq);
    },

    async cancel(owner, threadId) {
      const cancelled = await cancelRun(owner, threadId, options);
      if (cancelled === undefined) throw notFound("thread");
      return cancelled;
    },
  };

  /**
   * Whether the id names an event that was not sent yet. Only checked for runs of this process: the stored log of
   * another instance's run may be behind its readers.
   */
  function isFuture({ runId, seq }: EventId): boolean {
    const active = activeRuns.find(runId);
    return active !== undefined && seq > active.seq;
  }
}

/**
 * Predicts what `Storage["runs"]["begin"]` would return, from an earlier read of the thread. `undefined` when neither
 * the question's own run nor another run decides.
 */
export function outcomeOf(
  { asked, running }: ThreadStanding,
  trigger: RunTrigger,
): Extract<BeginRun, { readonly outcome: "known" | "busy" }> | undefined {
  if (asked && trigger === "submit-message") return { outcome: "known", run: asked };
  return running && { outcome: "busy", run: running };
}

/** Adds the thread's title to the run. */
function titled(run: StoredRun, { title }: StoredThread): FoundRun {
  return { ...run, ...(title !== undefined && { threadTitle: title }) };
}

function modelOf({ models, formerModels, model }: ReadyProject, modelId: string | undefined): Model {
  if (modelId === undefined) return model;
  const chosen = models.get(modelId) ?? (formerModels.has(modelId) ? model : undefined);
  if (!chosen) throw unprocessable(`This project has no model ${JSON.stringify(modelId)}.`);
  return chosen;
}

function tooManyRuns(running: number): ChatError {
  return new ChatError("rate_limited", `${running} answers are already being written. Wait until one has ended.`, {
    retryAfter: RETRY_AFTER_S.run,
    limit: "runsAtOnce",
  });
}
