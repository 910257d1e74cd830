/** One run as this widget follows it: from the request that begins or joins it, through lost connections, to its end. */
import type { Message, MessageStatus } from "@nitka/protocol";
import type { Answer } from "@nitka/protocol/apply-event";
import { endRun, setPhase, writeAnswer } from "../../store/conversation.ts";
import { conversationOf } from "../../store/selectors.ts";
import type { Appended, Conversation, Failure } from "../../store/state.ts";
import { CANCEL_GRACE_MS, OFFLINE_RETRY_MS, TITLE_GRACE_MS } from "../../timings.ts";
import { HttpError, isTemporary } from "../../transport/http-error.ts";
import { changeConversationIn, failureOf } from "../action-context.ts";
import type { Conversations } from "../conversation.ts";
import { createRetryWait } from "../retry-wait.ts";
import type { RunLinkOptions } from "./run-link.ts";
import { connectionClosed, createRunLink } from "./run-link.ts";
import type { RunPhase, RunPhaseEvent } from "./run-phase.ts";
import { isLive, nextPhase, retryDelay, shownPhase } from "./run-phase.ts";
import type { SideEventsOptions } from "./run-side-events.ts";
import { createSideEvents } from "./run-side-events.ts";

export interface RunSession {
  /** Ends the run, in the widget and on the server. Received text stays. */
  stop(): Promise<void>;
  /** The network may be back: retries at once, with all attempts available again. */
  retryNow(): void;
  /** Stops following the run. The state does not change. */
  detach(): void;
  /** Resolves when nothing more is read. */
  readonly closed: Promise<void>;
}

export interface RunSessionOptions
  extends Omit<SideEventsOptions, "begin" | "isLive">, Pick<RunLinkOptions, "answerWriter" | "answer" | "begin"> {
  readonly conversations: Conversations;
  /** The backend has confirmed the question. */
  readonly onConfirmed?: () => void;
  /** The backend has refused the question because another run is active in the thread. */
  readonly onBusy?: () => void;
  /**
   * The visitor has stopped the run before the question left the page. Without this callback the answer settles as cancelled.
   */
  readonly onWithdrawn?: (() => void) | undefined;
  /** The run is over and the backend has not confirmed the question. The backend may still have received it. */
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
  const link = createRunLink({
    ...options,
    signal,
    isConfirmed,
    advance,
    shown: () => conversationOf(store.get(), threadId).messages.find(({ id }) => id === currentId()),
    onWrite,
    onSideEvent: createSideEvents({ ...options, isLive: () => isLive(phase) }),
  });
  if (!begin) confirmed.resolve();
  const closed = follow().finally(() => close(connectionClosed()));

  return {
    closed,
    stop,
    retryNow() {
      advance("renewed");
      retryWait.end();
    },
    detach() {
      link.writer?.stop();
      close(new Error("the thread or the widget was taken away"));
    },
  };

  function advance(event: RunPhaseEvent): RunPhase {
    const now = nextPhase(phase, event);
    phase = now;
    if (event === "connected") confirmed.resolve();
    if (isLive(now)) change((conversation) => setPhase(conversation, shownPhase(now)));
    return now;
  }

  /** Connects and reads until the answer has settled or no attempt is left. */
  async function follow(): Promise<void> {
    while (!signal.aborted) {
      let cause: unknown;
      try {
        const end = await link.follow();
        if (!end) await reconcile();
        else if (end.isDone) settleAs({ type: "complete" });
        cause = end?.cause;
      } catch (error) {
        if (signal.aborted) return;
        if (isFinal(error)) return settleRefused(error);
        cause = error;
      }
      if (!isLive(phase)) return;
      // The delay belongs to the attempt that has just failed, so it is read before `advance` counts the failure.
      const delay = retryDelay(phase) ?? OFFLINE_RETRY_MS;
      const now = advance(failureEvent());
      if (now.type === "lost") return settleLost(cause, now.isConfirmed);
      await retryWait.take(delay, cause);
      advance("retried");
    }
  }

  function isConfirmed(): boolean {
    return isLive(phase) && phase.isConfirmed;
  }

  function failureEvent(): RunPhaseEvent {
    // A plain backend may begin a second run if a question is posted twice.
    if (!transport.joinRun && link.mayHaveQuestion) return "lost";
    return store.get().offline ? "cutOff" : "disconnected";
  }

  /** Whether repeating the request is pointless. A question that is rate-limited is repeated by the visitor. */
  function isFinal(error: unknown): error is HttpError {
    if (!(error instanceof HttpError)) return false;
    // The backend has received the question and failed. The error is shown at once, as the specification requires.
    return !isTemporary(error) || ((error.status === 429 || error.status === 500) && !isConfirmed());
  }

  /** No run is in progress: the stored messages tell how this one ended. If they show it running, `follow` tries again. */
  async function reconcile(): Promise<void> {
    const stored = await conversations.reload(threadId);
    const answer = stored?.find(({ id }) => id === currentId());
    if (!answer || answer.status?.type === "running") return;
    link.writer?.stop();
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
    if (!link.mayHaveQuestion && withdraw(options.onWithdrawn, new Error("the question was withdrawn"))) return;
    advance("stopped");
    if (transport.cancelRun) await cancel(transport.cancelRun, isConfirmed);
    settleAs({ type: "incomplete", reason: "cancelled" });
    close(new Error("the question was stopped before the backend confirmed it"));
  }

  /** Cancels the run on the server, and gives the stream time to deliver its end. */
  async function cancel(cancelRun: (threadId: string) => Promise<void>, isConfirmed: boolean): Promise<void> {
    const grace = Promise.withResolvers<void>();
    const clear = after(CANCEL_GRACE_MS, grace.resolve);
    // The server cannot cancel a run that it does not know yet.
    if (!isConfirmed) {
      await Promise.race([confirmed.promise.catch(() => undefined), settled.promise, grace.promise]);
    }
    const cancelled = cancelRun(threadId).then(
      () => true,
      // A 404 means that the run is over. Its end is still to arrive.
      (error: unknown) => error instanceof HttpError && error.status === 404,
    );
    // A hanging request must not keep the answer running.
    const hasEnd = await Promise.race([cancelled, grace.promise]);
    retryWait.end();
    if (hasEnd) await Promise.race([settled.promise, grace.promise]);
    clear();
  }

  /**
   * Gives the question back to the visitor, unless there is no callback or the backend has the question. Returns whether it was
   * given back.
   */
  function withdraw(giveBack: (() => void) | undefined, whyUnconfirmed: Error): boolean {
    if (!giveBack || advance("withdrawn").type !== "withdrawn") return false;
    giveBack();
    close(whyUnconfirmed);
    return true;
  }

  /** The backend has refused the request, and a repetition is pointless. After a 409 the question is withdrawn instead. */
  function settleRefused(error: HttpError): void {
    if (error.status === 409 && transport.joinRun && withdraw(options.onBusy, error)) return;
    context.logError(error.message);
    settleAs({ type: "incomplete", reason: "error", error: error.message }, failureOf(context, error));
    close(error);
  }

  /** The connection is lost and no attempt is left. */
  function settleLost(cause: unknown, isConfirmed: boolean): void {
    // The run of a confirmed question may have continued, whatever the response to the last rejoin was.
    if (cause instanceof HttpError && cause.status > 0 && !isConfirmed) return settleRefused(cause);
    const error = cause instanceof Error ? cause : connectionClosed();
    context.logError(`Upstream ${cause instanceof HttpError ? cause.status : 200}: ${error.message}`);
    const failure = failureOf(context, error);
    settleAs({ type: "incomplete", reason: "error" }, isConfirmed ? { ...failure, kind: "lost" } : failure);
    close(error);
  }

  /** Writes everything that was received. If the answer is still running after that, it settles with this status. */
  function settleAs(status: MessageStatus, failure?: Failure): void {
    settle(link.writer?.end(status) ?? { ...options.answer, status }, failure);
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

  /** Ends the session after any end: nothing more is read. A question that is not confirmed yet counts as unconfirmed. */
  function close(whyUnconfirmed: Error): void {
    advance("closed");
    confirmed.reject(whyUnconfirmed);
    controller.abort();
  }

  function onWrite({ message }: Answer, appended: Appended | undefined): void {
    // After the answer has settled, the stream stays open only for a title. Its other events are ignored.
    if (!isLive(phase)) return undefined;
    const { status } = message;
    if (status?.type === "running") return change((conversation) => writeAnswer(conversation, message, appended));
    // This matches the reasons `error` and `interrupted`. An answer that was stopped or truncated has not failed.
    if (status?.type === "incomplete" && /err/.test(status.reason)) {
      const error = status.error ?? status.reason;
      context.logError(`Upstream 200: ${error}`);
      context.emit({ type: "error", detail: new Error(error) });
    }
    return settle(message);
  }

  /** The answer's id in the state. A reload may have replaced the local id by the server's. */
  function currentId(): string {
    return conversationOf(store.get(), threadId).run?.answerId ?? options.answer.id;
  }

  function change(changed: (conversation: Conversation) => Conversation): void {
    changeConversationIn(context, threadId, changed);
  }
}
