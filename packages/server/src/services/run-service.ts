import type { RunTrigger, StreamEvent } from "@nitka/protocol";
import { serializeEvent } from "@nitka/protocol/serialize-event";
import { ChatError } from "../chat-error.ts";
import { MAX_FILE_BYTES } from "../model/model.ts";
import type { Model } from "../model/model.ts";
import type { BeginRun, NewRun, Owner, StoredRun, StoredThread, ThreadStanding } from "../storage/storage.ts";
import { ActiveRun } from "./active-run.ts";
import type { ActiveRuns } from "./active-runs.ts";
import { answerFiles } from "./answer-files.ts";
import { answerRun } from "./answer-run.ts";
import type { AnswerOptions, AnswerTask } from "./answer-run.ts";
import { beginQuestion } from "./begin-question.ts";
import type { BegunQuestion } from "./begin-question.ts";
import type { ByteBudget } from "./byte-budget.ts";
import { cancelRun } from "./cancel-run.ts";
import { describeError } from "./describe-error.ts";
import type { EventId } from "./event-id.ts";
import { parseEventId } from "./event-id.ts";
import { followRun } from "./follow-run.ts";
import type { FrameSink } from "./frame-sink.ts";
import { modelRequest } from "./model-request.ts";
import type { NewId } from "./new-id.ts";
import type { ReadyProject } from "./projects.ts";
import { checkQuestion } from "./question.ts";
import type { AskedQuestion } from "./question.ts";
import { fileCharsOf } from "./question-files.ts";
import { replay } from "./replay.ts";
import { RunReader } from "./run-reader.ts";
import type { ReaderPace } from "./run-reader.ts";
import { budgetExceeded, tokenBudget } from "./token-budget.ts";

/** A run that can be read: hand it the reader's connection. */
export interface RunStream {
  readonly runId: string;
  /** @param options.withIds whether each event gets its `id:` line */
  serve(sink: FrameSink, options: { readonly withIds: boolean }): void;
}

export interface Ask {
  readonly question: AskedQuestion;
  readonly trigger: RunTrigger;
  readonly modelId?: string | undefined;
  /** Called when a model is about to be asked: throws when it may not be now. */
  readonly admit: () => Admission;
  /** Called with the bytes of files that are kept: throws when there are to be no more. */
  readonly takeBytes: (bytes: number) => void;
  /** Names the request in the run's lines of the log. */
  readonly requestId: string;
}

/** What a question was let in with. One of the two is called, once it is known which. */
export interface Admission {
  /** No run came of the question. */
  readonly refused: () => void;
  /** Its run is over. */
  readonly ended: () => void;
}

export interface RunService {
  /** Begins a run, or joins the one that the question began, or replays its answer. */
  ask(owner: Owner, project: ReadyProject, threadId: string, ask: Ask): Promise<RunStream>;
  /**
   * The run in progress; `undefined` when there is none.
   *
   * @param after the id of the last event that the reader has, or an empty text: then the run is told from its first
   *   event. `undefined` for an id of another run, or of no event at all.
   */
  join(owner: Owner, threadId: string, after: string): Promise<RunStream | undefined>;
  /** Stops the run in progress, whichever instance pumps it. Returns whether there was one. */
  cancel(owner: Owner, threadId: string): Promise<boolean>;
}

export interface RunServiceOptions extends AnswerOptions {
  readonly activeRuns: ActiveRuns;
  readonly buffers: ByteBudget;
  readonly pace: ReaderPace;
  readonly newId: NewId;
  readonly instanceId: string;
}

export function createRunService(options: RunServiceOptions): RunService {
  const { storage, activeRuns, buffers, pace, newId, instanceId, eventLog, log, metrics, clock, timings } = options;

  /** @param after the number of the last event that the reader has; 0 for none */
  function stream(runId: string, after: number, serve: (reader: RunReader) => Promise<void>): RunStream {
    return {
      runId,
      serve(sink, { withIds }) {
        metrics.readerOpened();
        sink.onClose(() => metrics.readerClosed());
        const reader = new RunReader(sink, pace, { after, idsOf: withIds ? runId : undefined });
        serve(reader).catch((error: unknown) => {
          log.error({ error: describeError(error), runId }, "a reader could not be served");
          reader.drop();
        });
      },
    };
  }

  function live(run: ActiveRun, after = 0): RunStream {
    return stream(run.run.runId, after, (reader) => run.serve(reader, storage.events, timings.slowReaderMs));
  }

  async function known(owner: Owner, run: StoredRun, after = 0): Promise<RunStream> {
    const active = activeRuns.find(run.runId);
    if (active) return live(active, after);
    if (run.status === "running") {
      return stream(run.runId, after, (reader) => followRun(run, owner, reader, storage, timings));
    }
    const answer = await storage.messages.find(owner, run.threadId, run.answerId);
    if (!answer) throw notFound();
    return stream(run.runId, after, async (reader) => tell(reader, replay(answer)));
  }

  /** Begins a run: whatever refuses it does so before anything of the conversation is read. */
  async function begin(owner: Owner, project: ReadyProject, standing: ThreadStanding, ask: Ask): Promise<RunStream> {
    const { thread } = standing;
    const { threadId } = thread;
    const { limits } = project;
    const model = modelOf(project, ask.modelId);
    const running = limits.runsAtOnce === null ? 0 : await storage.runs.countRunning(owner);
    if (limits.runsAtOnce !== null && running >= limits.runsAtOnce) throw full(running);
    const budget = tokenBudget(limits);
    const spender = budget && (await storage.usage.spent(owner, budget, clock().toISOString()));
    if (spender) throw budgetExceeded(spender, clock());
    const newRun: NewRun = {
      runId: newId("run"),
      threadId,
      questionId: ask.question.id,
      answerId: newId("message"),
      instanceId,
    };
    const run = new ActiveRun(newRun, owner, eventLog);
    // Known here before the storage knows it: a cancel that comes between must find it.
    activeRuns.add(run, limits.upstreamIdleMs);
    const held = buffers.hold();
    let admission: Admission | undefined;
    try {
      admission = ask.admit();
      held.add(fileRoom(standing, ask.question));
      const askedAt = Date.now();
      const begun = await beginQuestion(
        storage,
        run,
        project,
        { ...ask, thread, model },
        { clock, newId, take: ask.takeBytes },
      );
      if (begun.outcome !== "begun") {
        activeRuns.remove(run);
        admission.refused();
        held.release();
        return await otherwise(owner, ask.question.id, begun);
      }
      const { ended } = admission;
      const onEnd = () => {
        ended();
        held.release();
      };
      answer(run, project, thread, { ...begun, model, askedAt, requestId: ask.requestId, onEnd });
      return live(run);
    } catch (error) {
      activeRuns.remove(run);
      admission?.refused();
      held.release();
      throw error;
    }
  }

  /** Answers in the background. */
  function answer(
    run: ActiveRun,
    project: ReadyProject,
    thread: StoredThread,
    begun: BegunQuestion & Pick<AnswerTask, "model" | "askedAt" | "requestId"> & { readonly onEnd: () => void },
  ): void {
    const untitled = thread.title === undefined || thread.title === "";
    const request = () => modelRequest(storage, run, project, begun);
    const keepFiles = answerFiles(run, begun.question, project.limits, options);
    answerRun(run, { ...begun, request, keepFiles, untitled }, options)
      .catch((error: unknown) => log.error({ error: describeError(error), runId: run.run.runId }, "a run broke off"))
      .finally(() => {
        run.close();
        activeRuns.remove(run);
        begun.onEnd();
      });
  }

  async function otherwise(
    owner: Owner,
    questionId: string,
    begun: Exclude<BeginRun, { readonly outcome: "begun" }>,
  ): Promise<RunStream> {
    switch (begun.outcome) {
      case "known":
        return known(owner, begun.run);
      case "busy":
        if (begun.run.questionId === questionId) return known(owner, begun.run);
        throw inProgress();
      case "full":
        throw full(begun.running);
      case "spent":
        throw budgetExceeded(begun.whose, clock());
      case "taken":
        throw new ChatError("unprocessable", `The id ${questionId} belongs to another message of this thread.`);
      case "missing":
        if (begun.what === "thread") throw notFound();
        throw new ChatError("unprocessable", `The message's ${begun.what} is not in this thread.`);
      default:
        return begun satisfies never;
    }
  }

  return {
    async ask(owner, project, threadId, ask) {
      const { question, trigger, modelId } = ask;
      const standing = await storage.runs.standing(owner, threadId, question.id);
      if (!standing) throw notFound();
      const { asked, running } = standing;
      modelOf(project, modelId);
      if (trigger === "submit-message") {
        if (asked) return known(owner, asked);
        checkQuestion(question, project);
      }
      if (running && running.questionId !== question.id) throw inProgress();
      if (running) return known(owner, running);
      return begin(owner, project, standing, ask);
    },

    async join(owner, threadId, after) {
      const thread = await storage.threads.find(owner, threadId);
      if (!thread) throw notFound();
      const run = await storage.runs.findRunning(owner, threadId);
      if (!run || after === "") return run && known(owner, run);
      const last = parseEventId(after);
      if (last?.runId !== run.runId || isYetToCome(last)) return undefined;
      return known(owner, run, last.seq);
    },

    async cancel(owner, threadId) {
      const cancelled = await cancelRun(owner, threadId, options);
      if (cancelled === undefined) throw notFound();
      return cancelled;
    },
  };

  /** Of a run that another instance pumps nobody here knows: an event may reach its readers before it reaches the log. */
  function isYetToCome({ runId, seq }: EventId): boolean {
    const active = activeRuns.find(runId);
    return active !== undefined && seq > active.seq;
  }
}

/** A file of a request is there as bytes, in base64 for its provider, and in the body that takes it there. */
const FILE_COPIES = 3;

/** The most memory that the files take which an answer's model may be sent. */
function fileRoom({ fileBytes }: ThreadStanding, question: AskedQuestion): number {
  const brought = Math.ceil((fileCharsOf(question) * 3) / 4);
  return FILE_COPIES * Math.min(MAX_FILE_BYTES, fileBytes + brought);
}

function tell(reader: RunReader, events: readonly StreamEvent[]): void {
  for (const [index, event] of events.entries()) reader.push(index + 1, serializeEvent(event));
  reader.end();
}

function modelOf({ models, model }: ReadyProject, modelId: string | undefined): Model {
  if (modelId === undefined) return model;
  const chosen = models.get(modelId);
  if (!chosen) throw new ChatError("unprocessable", `This project has no model ${JSON.stringify(modelId)}.`);
  return chosen;
}

function full(running: number): ChatError {
  return new ChatError("rate_limited", `${running} answers are being written already. Wait for one.`, {
    retryAfter: 5,
  });
}

function inProgress(): ChatError {
  return new ChatError("run_in_progress", "An answer is being written in this thread: wait for it, or cancel it.");
}

function notFound(): ChatError {
  return new ChatError("not_found", "There is no such thread.");
}
