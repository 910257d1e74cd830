/** One run as this widget follows it: from the request that begins or joins it, over lost connections, to its end. */
import type { Message, MessageStatus } from "@nitka/protocol";
import { partsOf } from "@nitka/protocol/message";
import { loadChunk } from "../../load-chunk.ts";
import { endRun, setPhase, writeAnswer } from "../../store/conversation.ts";
import { conversationOf } from "../../store/selectors.ts";
import type { Conversation, Failure } from "../../store/state.ts";
import { CANCEL_GRACE_MS, OFFLINE_RETRY_MS, TITLE_GRACE_MS } from "../../timings.ts";
import { HttpError, isTemporary, unreachable } from "../../transport/http-error.ts";
import type { RunStream } from "../../transport/transport.ts";
import { changeConversationIn, failureOf } from "../action-context.ts";
import type { AnswerWriter } from "./answer-writer.ts";
import type { Conversations } from "../conversation.ts";
import { createRetryWait } from "../retry-wait.ts";
import type { RunPhase, RunPhaseEvent } from "./run-phase.ts";
import { isLive, nextPhase, retryDelay, shownPhase } from "./run-phase.ts";
import type { SideEventsOptions } from "./run-side-events.ts";
import { createSideEvents } from "./run-side-events.ts";

/** The code that makes an answer of a stream. The first runs need it: it loads with the chat, after the composer is shown. */
export const loadAnswerWriter = loadChunk(() => import("./answer-writer.ts"));

export type AnswerWriterCode = Awaited<ReturnType<typeof loadAnswerWriter>>;

export interface RunSession {
  /** Ends the run, here and on the server. What has been received stays. */
  stop(): Promise<void>;
  /** The network may be back: tries again at once, as often as at first. */
  retryNow(): void;
  /** Follows the run no further, and leaves the state as it is. */
  detach(): void;
  /** Resolves when nothing more is read. */
  readonly closed: Promise<void>;
}

export interface RunSessionOptions extends Omit<SideEventsOptions, "begin" | "isLive"> {
  readonly conversations: Conversations;
  /** The code of answers, if it has loaded: the first request is then made at once. */
  readonly answerWriter: () => AnswerWriterCode | undefined;
  /** The answer as it is in the state. */
  readonly answer: Message;
  /** Makes the request that begins the run, and calls `onSent` as it leaves the page. Without it the run is joined. */
  readonly begin?: (signal: AbortSignal, onSent: (outlivesPage: boolean) => void) => Promise<RunStream>;
  /** The backend has confirmed the question. */
  readonly onConfirmed?: () => void;
  /** The backend refused the question because another run goes on in the thread. */
  readonly onBusy?: () => void;
  /**
   * The visitor stopped the run before the question left the page. Without this callback such a question is settled as
   * cancelled.
   */
  readonly onWithdrawn?: (() => void) | undefined;
  /** The run is over, and the backend has not confirmed the question. It may still have received it. */
  readonly onUnconfirmed?: ((reason: Error) => void) | undefined;
  /** The answer is final. */
  readonly onSettled: (answer: Message) => void;
}

export function startRunSession(options: RunSessionOptions): RunSession {
  const { context, conversations, threadId, begin } = options;
  const { store, transport, after } = context;
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal, context.signal]);
  const settled = Promise.withResolvers<void>();
  const confirmed = Promise.withResolvers<void>();
  confirmed.promise.then(options.onConfirmed, options.onUnconfirmed ?? (() => undefined));
  const retryWait = createRetryWait(context, signal);
  let phase: RunPhase = { type: "running", link: "preparing", isConfirmed: begin === undefined, attempt: 0 };
  /** The question has left the page: the backend may have it. */
  let mayHaveQuestion = begin === undefined;
  /** The id of the last event. */
  let cursor: string | undefined;
  /** Events of the run that were read, counted from its first. A replay counts from 0 again. */
  let position = 0;
  /** The highest `position` so far. */
  let furthest = 0;
  const onSideEvent = createSideEvents({ ...options, isLive: () => isLive(phase) });
  /** `undefined` before the first connection. */
  let writer: AnswerWriter | undefined;
  if (!begin) confirmed.resolve();
  const closed = follow().finally(() => close(new Error("the connection was closed")));

  return {
    closed,
    stop,
    retryNow() {
      advance("renewed");
      retryWait.end();
    },
    detach() {
      writer?.stop();
      close(new Error("the thread or the widget was taken away"));
    },
  };

  function advance(event: RunPhaseEvent): RunPhase {
    const now = nextPhase(phase, event);
    phase = now;
    if (isLive(now)) change((conversation) => setPhase(conversation, shownPhase(now)));
    return now;
  }

  /** Connects and reads until the answer has settled, or no attempt is left. */
  async function follow(): Promise<void> {
    while (!signal.aborted) {
      let cause: unknown;
      try {
        const stream = await connect();
        if (stream && writer) cause = await read(stream, writer);
        else await reconcile();
      } catch (error) {
        if (signal.aborted) return;
        if (isFinal(error)) return settleRefused(error);
        cause = error;
      }
      if (!isLive(phase)) return;
      // Read before `advance` counts this failure: it is the delay of the attempt that has just failed.
      const delay = retryDelay(phase) ?? OFFLINE_RETRY_MS;
      const now = advance(failureEvent());
      if (now.type === "lost") return settleLost(cause, now.isConfirmed);
      await retryWait.take(delay, cause);
      advance("retried");
    }
  }

  function failureEvent(): RunPhaseEvent {
    // A plain backend may begin a second run for a question that is posted twice.
    if (!transport.joinRun && mayHaveQuestion) return "lost";
    return store.get().offline ? "cutOff" : "disconnected";
  }

  /** Whether a repeated request would fail the same. The visitor repeats a question that comes too soon after others. */
  function isFinal(error: unknown): error is HttpError {
    if (!(error instanceof HttpError)) return false;
    const isConfirmed = isLive(phase) && phase.isConfirmed;
    // The backend has the question, and failed at it: it says why at once, as the specification asks.
    return !isTemporary(error) || ((error.status === 429 || error.status === 500) && !isConfirmed);
  }

  /** Makes the request that begins the run. A browser without network lets none out, though it may be wrong about that. */
  async function post(request: NonNullable<typeof begin>): Promise<RunStream> {
    const before = { mayHaveQuestion, offline: store.get().offline };
    const onSent = (outlivesPage: boolean) => {
      mayHaveQuestion = true;
      if (outlivesPage) advance("called");
    };
    try {
      return await request(signal, onSent);
    } catch (error) {
      const isUnreachable = error instanceof HttpError && error.status === 0;
      if (isUnreachable && before.offline && store.get().offline) ({ mayHaveQuestion } = before);
      throw error;
    }
  }

  /** @returns `undefined` when there is no run to join */
  async function connect(): Promise<RunStream | undefined> {
    // Before the request: a stream that nobody can read would stay open.
    const code = options.answerWriter() ?? (await loadCode());
    if (begin && isLive(phase) && !phase.isConfirmed) {
      const stream = await post(begin);
      writer = createWriter(code, options.answer, 0);
      advance("connected");
      confirmed.resolve();
      return stream;
    }
    advance("called");
    const stream = await transport.joinRun?.(threadId, cursor, signal);
    if (!stream) return undefined;
    advance("connected");
    if (cursor === undefined || !writer) replayFromStart(code);
    return stream;
  }

  async function loadCode(): Promise<AnswerWriterCode> {
    const code = await loadAnswerWriter().catch((error: unknown) => {
      throw unreachable(error);
    });
    signal.throwIfAborted();
    return code;
  }

  /** Without a cursor the stream begins with the run's first event: the answer is rebuilt from there. */
  function replayFromStart(code: AnswerWriterCode): void {
    position = 0;
    const shown = conversationOf(store.get(), threadId).messages.find(({ id }) => id === currentId());
    writer?.stop();
    writer = createWriter(code, shown ?? options.answer, shown ? code.textLength(partsOf(shown)) : 0);
  }

  /** @returns the error that broke the stream; `undefined` after `[DONE]` or a plain close */
  async function read(stream: RunStream, current: AnswerWriter): Promise<unknown> {
    let isDone = false;
    let cause: unknown;
    try {
      let frame = await stream.next();
      for (; !frame.done; frame = await stream.next()) {
        cursor = frame.value.id ?? cursor;
        position += 1;
        // A backend without event ids replays the run at each connection: only what goes beyond the last replay is progress.
        if (position > furthest) {
          furthest = position;
          advance("progressed");
        }
        if (!current.push(frame.value.event)) await current.drained();
      }
      isDone = frame.value;
    } catch (error) {
      // An error while reading counts as a lost connection, unless we aborted the stream.
      if (signal.aborted) throw error;
      cause = connectionClosed(error);
    }
    await current.drained();
    if (isDone) settleAs({ type: "complete" });
    return cause;
  }

  /** No run is in progress: the stored messages say how this one ended. If they show it running, `follow` tries again. */
  async function reconcile(): Promise<void> {
    const stored = await conversations.reload(threadId);
    const answer = stored?.find(({ id }) => id === currentId());
    if (!answer || answer.status?.type === "running") return;
    writer?.stop();
    settle(answer);
  }

  // The ends. A settled session still reads, until it has a title: `close` ends that too.
  //   the answer's own end, in the stream or stored              settle
  //   `[DONE]` without an end                                    settleAs complete
  //   the visitor stops the run                                  cancel, settleAs cancelled, close
  //   … before the question left; another run goes on (409)      withdraw, close
  //   a refusal; the last connection is lost                     settleRefused, settleLost, close
  //   the thread or the widget is taken away                     close

  async function stop(): Promise<void> {
    if (phase.type !== "running") return;
    const { isConfirmed } = phase;
    if (!mayHaveQuestion && withdraw(options.onWithdrawn, new Error("the question was withdrawn"))) return;
    advance("stopped");
    if (transport.cancelRun) await cancel(transport.cancelRun, isConfirmed);
    settleAs({ type: "incomplete", reason: "cancelled" });
    close(new Error("the question was stopped before the backend confirmed it"));
  }

  /** Cancels the run on the server, and gives the stream time to bring its end. */
  async function cancel(cancelRun: (threadId: string) => Promise<void>, isConfirmed: boolean): Promise<void> {
    const grace = Promise.withResolvers<void>();
    const clear = after(CANCEL_GRACE_MS, grace.resolve);
    // A run that the server does not know yet cannot be cancelled there.
    if (!isConfirmed) {
      await Promise.race([confirmed.promise.catch(() => undefined), settled.promise, grace.promise]);
    }
    const cancelled = cancelRun(threadId).then(
      () => true,
      // A run that is over (404) has an end, which is on its way.
      (error: unknown) => error instanceof HttpError && error.status === 404,
    );
    // A request that hangs must not keep the answer running.
    const hasEnd = await Promise.race([cancelled, grace.promise]);
    retryWait.end();
    if (hasEnd) await Promise.race([settled.promise, grace.promise]);
    clear();
  }

  /** Gives the visitor the question back, unless nobody takes it or the backend has it. Returns whether it did. */
  function withdraw(giveBack: (() => void) | undefined, whyUnconfirmed: Error): boolean {
    if (!giveBack || advance("withdrawn").type !== "withdrawn") return false;
    giveBack();
    close(whyUnconfirmed);
    return true;
  }

  /** The backend refused the request, and would refuse it again. After a 409 the question is withdrawn instead. */
  function settleRefused(error: HttpError): void {
    if (error.status === 409 && transport.joinRun && withdraw(options.onBusy, error)) return;
    context.logError(error.message);
    settleAs({ type: "incomplete", reason: "error", error: error.message }, failureOf(context, error));
    close(error);
  }

  /** The connection is lost, and no attempt is left. */
  function settleLost(cause: unknown, isConfirmed: boolean): void {
    // The run of a confirmed question may have gone on, whatever the last rejoin was answered.
    if (cause instanceof HttpError && cause.status > 0 && !isConfirmed) return settleRefused(cause);
    const error = cause instanceof Error ? cause : connectionClosed();
    context.logError(`Upstream ${cause instanceof HttpError ? cause.status : 200}: ${error.message}`);
    const failure = failureOf(context, error);
    settleAs({ type: "incomplete", reason: "error" }, isConfirmed ? { ...failure, kind: "lost" } : failure);
    close(error);
  }

  /** Writes everything that was received. If the answer is still running after that, settles it with this status. */
  function settleAs(status: MessageStatus, failure?: Failure): void {
    settle(writer?.end(status) ?? { ...options.answer, status }, failure);
  }

  function settle(answer: Message, failure?: Failure): void {
    if (phase.type === "settled" || advance("settled").type !== "settled") return;
    change((conversation) => endRun(conversation, answer, failure));
    options.onSettled(answer);
    settled.resolve();
    if (signal.aborted) return;
    const clear = after(TITLE_GRACE_MS, () => controller.abort());
    signal.addEventListener("abort", clear);
  }

  /** The last of every end: nothing more is read. A question that is not confirmed by now never is. */
  function close(whyUnconfirmed: Error): void {
    advance("closed");
    confirmed.reject(whyUnconfirmed);
    controller.abort();
  }

  function createWriter(code: AnswerWriterCode, answer: Message, shownLength: number): AnswerWriter {
    const created = code.createAnswerWriter({
      answer,
      shownLength,
      schedule: context.schedule,
      isHidden: context.isHidden,
      onWrite: ({ message }, appended) => {
        // After settling, the stream stays open only for a title: its other events are ignored.
        if (!isLive(phase)) return undefined;
        const { status } = message;
        if (status?.type === "running") return change((conversation) => writeAnswer(conversation, message, appended));
        // The reasons `error` and `interrupted`. An answer that was stopped or cut off has not failed.
        if (status?.type === "incomplete" && /err/.test(status.reason)) {
          const error = status.error ?? status.reason;
          context.logError(`Upstream 200: ${error}`);
          context.emit({ type: "error", detail: new Error(error) });
        }
        return settle(message);
      },
      onSideEvent: (event) => onSideEvent(event, created.messageId()),
    });
    return created;
  }

  /** The answer's id in the state. A reload may have replaced our id by the server's. */
  function currentId(): string {
    return conversationOf(store.get(), threadId).run?.answerId ?? options.answer.id;
  }

  function change(changed: (conversation: Conversation) => Conversation): void {
    changeConversationIn(context, threadId, changed);
  }
}

function connectionClosed(cause?: unknown): Error {
  return new Error("the connection closed before the answer ended", { cause });
}
