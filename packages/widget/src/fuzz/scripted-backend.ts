/**
 * A backend in memory with the guarantees of ours: a question's id is an idempotency key, a thread has one run at a time, and a
 * run continues without readers. It records its clients' errors.
 */
import type { Message, RunRequest, ServerConfig, StreamEvent, Thread, ToolAnswer } from "@nitka/protocol";
import { beginAnswer } from "@nitka/protocol/begin-answer";
import { applyEvent } from "@nitka/protocol/apply-event";
import type { Answer } from "@nitka/protocol/apply-event";
import { textOf } from "@nitka/protocol/message";
import { HttpError } from "../transport/http-error.ts";
import type { Script, ScriptedRun } from "../transport/scripted-transport.ts";
import { createScriptedTransport } from "../transport/scripted-transport.ts";
import type { Transport } from "../transport/transport.ts";
import type { ScriptedCalls } from "./scripted-calls.ts";
import { createScriptedCalls, pageTools } from "./scripted-calls.ts";
import type { ScriptedClock } from "./scripted-clock.ts";
import type { ScriptedRandom } from "./scripted-random.ts";

/** A question that was stored. */
export interface StoredQuestion {
  readonly threadId: string;
  readonly messageId: string;
  readonly text: string;
  readonly parentId: string | null;
}

export interface ScriptedBackend {
  readonly transport: Transport;
  readonly questions: readonly StoredQuestion[];
  /** Requests that a correct widget never makes. */
  readonly wrongs: readonly string[];
  /** Called when a page runs one of its tools. */
  readonly onToolRun: ScriptedCalls["onRun"];
  messagesOf(threadId: string): readonly Message[];
  titleOf(threadId: string): string;
  threadIds(): readonly string[];
  isRunning(threadId: string): boolean;
  /** From now on no connection breaks, and silent ones are closed. */
  calm(): void;
}

interface BackendOptions {
  /** Whether a question is an edit of another one, whose sibling it becomes. */
  readonly isEdit: (text: string) => boolean;
  readonly clock: ScriptedClock;
  readonly random: ScriptedRandom;
  readonly features: NonNullable<ServerConfig["features"]>;
  /** The share of streams that break. */
  readonly faults: number;
  readonly threads: number;
}

/** An active run. Its events are numbered from `first`; the numbers are unique over all runs. */
interface Run {
  readonly threadId: string;
  readonly questionId: string;
  readonly first: number;
  readonly events: StreamEvent[];
  readonly readers: Set<Reader>;
  answer: Answer;
}

interface Reader {
  readonly stream: ScriptedRun;
  /** The number of events until its connection fails. */
  left: number;
  hasFailed: boolean;
  readonly end: "close" | "break" | "silence";
}

export function createScriptedBackend({
  clock,
  random,
  features,
  faults,
  threads,
  isEdit,
}: BackendOptions): ScriptedBackend {
  let isCalm = false;
  let ids = 0;
  let runs = 0;
  const newId = (prefix: string) => `${prefix}${(ids += 1)}`;
  const questions: StoredQuestion[] = [];
  const wrongs: string[] = [];
  const messages = new Map<string, Message[]>();
  const running = new Map<string, Run>();
  const calls = createScriptedCalls(clock);
  /** Open connections that get no further event. */
  const silent = new Set<Reader>();

  const script: Script = {
    threads: Array.from({ length: threads }, (_, index): Thread => {
      const threadId = `t${index + 1}`;
      const question: Message = { id: `${threadId}q`, role: "user", content: "Раньше", parentId: null };
      const answer: Message = { id: `${threadId}a`, role: "assistant", content: "Да", parentId: question.id };
      messages.set(threadId, random.chance(0.7) ? [question, answer] : []);
      return { threadId, updatedAt: new Date(clock.now() - index * 1000).toISOString() };
    }),
    get messages() {
      return Object.fromEntries(Array.from(messages.keys(), (threadId) => [threadId, storedOf(threadId)]));
    },
    before: (call, ...args) => {
      const [threadId, body] = args as [string, unknown];
      if (["listThreads", "createThread"].includes(call)) return;
      if (!script.threads.some((thread) => thread.threadId === threadId)) throw refusal(404, "not_found");
      if (call === "archiveThread") end(running.get(threadId), { type: "abort" });
      if (call === "cancelRun") end(running.get(threadId), { type: "abort" });
      if (call === "answerTool") calls.answer(threadId, body as ToolAnswer);
      if (call === "startRun") receive(threadId, body as RunRequest);
    },
    joinable: (threadId, after) => {
      const run = running.get(threadId);
      const number = run && numberOf(after, run);
      return (
        run !== undefined && number !== undefined && number >= run.first && number <= run.first + run.events.length
      );
    },
    onRun: (stream) => {
      const { threadId, request } = stream;
      const run = running.get(threadId);
      const id = request?.messages[0].id ?? run?.questionId;
      if (run && run.questionId === id) return read(run, stream);
      const answer = storedOf(threadId).findLast(({ parentId }) => parentId === id);
      stream.emit([{ type: "start", messageId: answer?.id }, ...eventsOf(answer)]);
      return stream.done();
    },
  };

  const storedOf = (threadId: string): readonly Message[] => {
    const run = running.get(threadId);
    const stored = messages.get(threadId) ?? [];
    return run
      ? stored.map((message) => (message.id === run.answer.message.id ? run.answer.message : message))
      : stored;
  };

  /** Stores a question and begins its run, unless it is stored already. */
  const receive = (threadId: string, { messages: [question], trigger }: RunRequest): void => {
    const stored = messages.get(threadId) ?? [];
    messages.set(threadId, stored);
    const run = running.get(threadId);
    const known = stored.some(({ id }) => id === question.id);
    const isAgain = trigger === "regenerate-message";
    if (run?.questionId === question.id || (known && !isAgain)) return;
    if (run) throw refusal(409, "run_in_progress");
    const { id, parentId = stored.at(-1)?.id ?? null } = question;
    const text = textOf(question);
    if (known) return begin(threadId, question);
    if (isAgain) wrongs.push(`regenerates "${text}", which nobody has heard`);
    // A plain backend ignores parents.
    else if (!features.resume || parentId === null || stored.some((message) => message.id === parentId)) {
      const isTaken = stored.some((message) => message.parentId === parentId);
      // A question whose request was lost may be posted again after another one.
      if (isTaken && !isEdit(text) && features.resume && faults === 0) {
        wrongs.push(`asks "${text}" beside what was said after ${parentId} in ${threadId}`);
      }
      questions.push({ threadId, messageId: id, text, parentId });
      stored.push({ ...question, parentId });
      return begin(threadId, question);
    } else wrongs.push(`hangs "${text}" on ${parentId}, which is no message of ${threadId}`);
    throw refusal(422, "unprocessable");
  };

  const begin = (threadId: string, question: Message): void => {
    const answer = beginAnswer(newId("a"), question.id);
    messages.get(threadId)?.push(answer.message);
    runs += 1;
    const run: Run = { threadId, questionId: question.id, first: runs * 1000, events: [], readers: new Set(), answer };
    running.set(threadId, run);
    // Sometimes the whole answer arrives at once and is more than a frame writes. It rarely has more events than may wait for a
    // frame, because reading those takes most of a life's time.
    const isBurst = random.chance(0.15);
    const sentence = " слово за словом, без остановки";
    const { words, delta } = !isBurst
      ? { words: random.below(5), delta: " слово" }
      : random.chance(0.1)
        ? { words: 1200, delta: sentence }
        : { words: 20, delta: sentence.repeat(60) };
    const plan: StreamEvent[] = [
      { type: "start", messageId: answer.message.id },
      ...Array.from({ length: words }, (_, index): StreamEvent => ({
        type: "text-delta",
        id: "1",
        delta: `${delta}${index}`,
      })),
      ...(features.clientTools && random.chance(0.4) ? toolEvents() : []),
      ...(random.chance(0.2) ? [{ type: "data-title", title: "Название" } as const] : []),
      random.chance(0.1) ? { type: "error", errorText: "Модель устала" } : { type: "finish" },
    ];
    const step = () => {
      if (running.get(threadId) !== run) return;
      for (const event of plan.splice(0, isBurst && plan.length > 1 ? plan.length - 1 : 1)) {
        if (event.type === "data-title" && !giveTitle(threadId, event.title)) continue;
        if (event.type === "finish" || event.type === "error") return end(run, event);
        append(run, event);
        if (calls.begin(event, { threadId, append: (more) => append(run, more), resume: step })) return;
      }
      if (plan.length === 0) return;
      clock.after(random.pick([0, 1, 20, 400, 3000]), step);
    };
    clock.after(random.pick([0, 1, 20, 400, 3000]), step);
  };

  /** The assistant's title never replaces another one. */
  const giveTitle = (threadId: string, title: string): boolean => {
    const isFree = script.threads.some((thread) => thread.threadId === threadId && !thread.title);
    if (isFree)
      script.threads = script.threads.map((thread) => (thread.threadId === threadId ? { ...thread, title } : thread));
    return isFree;
  };

  /** Creates a call of one of the page's tools, of one that it does not have, or of a server's tool that needs approval. */
  const toolEvents = (): readonly StreamEvent[] => {
    const toolCallId = newId("c");
    const toolName = random.pick([...pageTools, "confirm", "missing", "server"]);
    const call = { toolCallId, toolName, input: { sku: 1 } };
    return [
      { type: "tool-input-available", ...call },
      toolName === "server"
        ? { type: "tool-approval-request", toolCallId, approvalId: "p" }
        : { type: "data-tool-request", ...call },
    ];
  };

  const append = (run: Run, event: StreamEvent) => {
    run.answer = applyEvent(run.answer, event);
    run.events.push(event);
    for (const reader of run.readers) deliver(reader, [event], run.first + run.events.length);
  };

  const end = (run: Run | undefined, event: StreamEvent) => {
    if (!run) return;
    append(run, event);
    calls.end(run.threadId);
    running.delete(run.threadId);
    const stored = messages.get(run.threadId) ?? [];
    const { message } = run.answer;
    messages.set(
      run.threadId,
      stored.map((old) => (old.id === message.id ? message : old)),
    );
    for (const reader of run.readers) if (!reader.hasFailed) reader.stream.done();
  };

  const read = (run: Run, stream: ScriptedRun) => {
    const reader: Reader = {
      stream,
      left: !isCalm && random.chance(faults) ? random.below(6) : Number.POSITIVE_INFINITY,
      hasFailed: false,
      end: random.pick(["close", "break", "silence"]),
    };
    run.readers.add(reader);
    const after = numberOf(stream.after, run);
    deliver(reader, run.events.slice(after - run.first), after + 1);
    stream.signal.addEventListener("abort", () => {
      run.readers.delete(reader);
      silent.delete(reader);
      if (!features.resume && running.get(run.threadId) === run) end(run, { type: "abort" });
    });
  };

  const deliver = (reader: Reader, said: readonly StreamEvent[], seq: number) => {
    if (reader.hasFailed) return;
    reader.stream.emit(said.slice(0, reader.left), features.resume ? seq : undefined);
    reader.left -= said.length;
    if (reader.left > 0) return;
    reader.hasFailed = true;
    if (reader.end === "break") reader.stream.fail(new TypeError("network error"));
    else if (reader.end === "close" || isCalm) reader.stream.close();
    else silent.add(reader);
  };

  return {
    transport: createScriptedTransport({
      script,
      features,
      now: () => new Date(clock.now()),
      newId: () => newId("new"),
    }),
    questions,
    get wrongs() {
      return [...wrongs, ...calls.wrongs];
    },
    onToolRun: (toolCallId) => calls.onRun(toolCallId),
    messagesOf: storedOf,
    titleOf: (threadId) => script.threads.find((thread) => thread.threadId === threadId)?.title ?? "",
    threadIds: () => script.threads.map(({ threadId }) => threadId),
    isRunning: (threadId) => running.has(threadId),
    calm() {
      isCalm = true;
      for (const { stream } of silent) stream.close();
    },
  };
}

function eventsOf(message: Message | undefined): readonly StreamEvent[] {
  if (!message) return [];
  const text = textOf(message);
  const said: readonly StreamEvent[] = text === "" ? [] : [{ type: "text-delta", id: "1", delta: text }];
  const { status } = message;
  const isFailed = status?.type === "incomplete";
  if (isFailed && status.reason === "cancelled") return [...said, { type: "abort" }];
  return [...said, isFailed ? { type: "error", errorText: status.error ?? "" } : { type: "finish" }];
}

/** The number of the last event that a reader has received. */
function numberOf(after: string | undefined, run: Run): number {
  return after === undefined ? run.first : Number(after.split(":")[1]);
}

function refusal(status: number, code: string): HttpError {
  return new HttpError(code, { status, code });
}
