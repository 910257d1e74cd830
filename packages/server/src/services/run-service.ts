import type { Message, RunTrigger, StreamEvent } from "@nitka/protocol";
import { serializeEvent } from "@nitka/protocol/serialize-event";
import { ChatError } from "../chat-error.ts";
import type { Model } from "../model/model.ts";
import type { BeginRun, NewRun, Owner, StoredRun, StoredThread } from "../storage/storage.ts";
import { ActiveRun } from "./active-run.ts";
import type { ActiveRuns } from "./active-runs.ts";
import { answerRun } from "./answer-run.ts";
import type { AnswerOptions } from "./answer-run.ts";
import { readAttachment } from "./attachment-service.ts";
import { cancelRun } from "./cancel-run.ts";
import { describeError } from "./describe-error.ts";
import { followRun } from "./follow-run.ts";
import type { FrameSink } from "./frame-sink.ts";
import { historyOf } from "./history.ts";
import type { NewId } from "./new-id.ts";
import type { ReadyProject } from "./projects.ts";
import { checkQuestion, uploadsOf } from "./question.ts";
import type { AskedQuestion } from "./question.ts";
import { replay } from "./replay.ts";
import { RunReader } from "./run-reader.ts";
import type { ReaderPace } from "./run-reader.ts";

/** A run that can be read: hand it the reader's connection. */
export interface RunStream {
  readonly runId: string;
  /** @param after the number of the last event that the reader has; 0 for none */
  serve(sink: FrameSink, options: { readonly numbered: boolean; readonly after: number }): void;
}

export interface Ask {
  readonly question: AskedQuestion;
  readonly trigger: RunTrigger;
  readonly modelId?: string | undefined;
  /** Called when a model is about to be asked: throws when the visitor has asked too often. */
  readonly admit: () => void;
}

export interface RunService {
  /** Begins a run, or joins the one that the question began, or replays its answer. */
  ask(owner: Owner, project: ReadyProject, threadId: string, ask: Ask): Promise<RunStream>;
  /** The run in progress; `undefined` when there is none. */
  join(owner: Owner, threadId: string): Promise<RunStream | undefined>;
  /** Stops the run in progress, whichever instance pumps it. Returns whether there was one. */
  cancel(owner: Owner, threadId: string): Promise<boolean>;
}

export interface RunServiceOptions extends AnswerOptions {
  readonly activeRuns: ActiveRuns;
  readonly pace: ReaderPace;
  readonly newId: NewId;
  readonly instanceId: string;
}

/** The largest number that an event can have: databases count in 32 bits. */
export const MAX_SEQ = 2 ** 31 - 1;

export function createRunService(options: RunServiceOptions): RunService {
  const { storage, activeRuns, pace, newId, instanceId, eventLog, log, metrics, clock, timings } = options;

  function stream(runId: string, serve: (reader: RunReader) => Promise<void>): RunStream {
    return {
      runId,
      serve(sink, reading) {
        metrics.readerOpened();
        sink.onClose(() => metrics.readerClosed());
        const reader = new RunReader(sink, pace, reading);
        serve(reader).catch((error: unknown) => {
          log.error({ error: describeError(error), runId }, "a reader could not be served");
          reader.drop();
        });
      },
    };
  }

  function live(run: ActiveRun): RunStream {
    return stream(run.run.runId, (reader) => run.serve(reader, storage.events, timings.slowReaderMs));
  }

  async function known(owner: Owner, run: StoredRun): Promise<RunStream> {
    const active = activeRuns.find(run.runId);
    if (active) return live(active);
    if (run.status === "running") {
      return stream(run.runId, (reader) => followRun(run, owner, reader, storage, timings.slowReaderMs));
    }
    const answer = await storage.messages.find(owner, run.threadId, run.answerId);
    if (!answer) throw notFound();
    return stream(run.runId, async (reader) => tell(reader, replay(answer)));
  }

  async function begin(
    owner: Owner,
    project: ReadyProject,
    thread: StoredThread,
    asked: { readonly question: Message; readonly messages: readonly Message[]; readonly regenerate: boolean },
    model: Model,
  ): Promise<RunStream> {
    const { limits, instructions } = project;
    const { question, messages, regenerate } = asked;
    const { threadId } = thread;
    const askedAt = Date.now();
    const at = clock().toISOString();
    const newRun: NewRun = {
      runId: newId("run"),
      threadId,
      questionId: question.id,
      answerId: newId("message"),
      instanceId,
    };
    const run = new ActiveRun(newRun, owner, eventLog);
    // Known here before the storage knows it: a cancel that comes between must find it.
    activeRuns.add(run, limits.upstreamIdleMs);
    try {
      const begun = await storage.runs.begin(owner, newRun, question, { regenerate, at, limit: limits.runsAtOnce });
      if (begun.outcome !== "begun") {
        activeRuns.remove(run);
        return await otherwise(owner, question.id, begun);
      }
    } catch (error) {
      activeRuns.remove(run);
      throw error;
    }
    const budget = limits.contextChars === null ? null : limits.contextChars - (instructions?.length ?? 0);
    const tree = regenerate ? messages : [...messages, question];
    const request = {
      history: historyOf(tree, question.id, budget),
      ...(instructions === undefined ? {} : { instructions }),
      readAttachment: readAttachment(storage, owner),
      idleMs: limits.upstreamIdleMs,
    };
    const untitled = thread.title === undefined || thread.title === "";
    answerRun(run, { model, request, question, askedAt, createdAt: at, untitled }, options)
      .catch((error: unknown) => log.error({ error: describeError(error), runId: newRun.runId }, "a run broke off"))
      .finally(() => {
        run.close();
        activeRuns.remove(run);
      });
    return live(run);
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
        throw new ChatError("rate_limited", `${begun.running} answers are being written already. Wait for one.`, {
          retryAfter: 5,
        });
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
    async ask(owner, project, threadId, { question: asked, trigger, modelId, admit }) {
      const thread = await storage.threads.find(owner, threadId);
      if (!thread) throw notFound();
      const model = modelOf(project, modelId);
      const regenerate = trigger === "regenerate-message";
      const running = regenerate
        ? await storage.runs.findRunning(owner, threadId)
        : await storage.runs.findByQuestion(owner, threadId, asked.id);
      if (running && regenerate && running.questionId !== asked.id) throw inProgress();
      if (running) return known(owner, running);
      const messages = await storage.messages.list(owner, threadId);
      const question = regenerate
        ? questionIn(messages, asked.id)
        : await checkQuestion(asked, messages, project, uploadsOf(storage, owner), {
            threadId,
            at: clock().toISOString(),
          });
      admit();
      return begin(owner, project, thread, { question, messages, regenerate }, model);
    },

    async join(owner, threadId) {
      const thread = await storage.threads.find(owner, threadId);
      if (!thread) throw notFound();
      const run = await storage.runs.findRunning(owner, threadId);
      return run && known(owner, run);
    },

    async cancel(owner, threadId) {
      const cancelled = await cancelRun(owner, threadId, options);
      if (cancelled === undefined) throw notFound();
      return cancelled;
    },
  };
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

function questionIn(messages: readonly Message[], questionId: string): Message {
  const question = messages.find(({ id, role }) => id === questionId && role === "user");
  if (!question) throw new ChatError("unprocessable", "There is no such message in this thread to answer anew.");
  return question;
}

function inProgress(): ChatError {
  return new ChatError("run_in_progress", "An answer is being written in this thread: wait for it, or cancel it.");
}

function notFound(): ChatError {
  return new ChatError("not_found", "There is no such thread.");
}
