/** One run as this widget follows it: from the call that begins or joins it, over lost connections, to its end. */
import type { Message, MessageStatus } from "@nitka/protocol";
import { beginAnswer, settle } from "@nitka/protocol/apply-event";
import { partsOf } from "@nitka/protocol/message";
import { endRun, setActivity, setPhase, writeAnswer } from "../store/conversation.ts";
import { conversationOf } from "../store/selectors.ts";
import type { Conversation, Failure } from "../store/state.ts";
import { HttpError } from "../transport/http-error.ts";
import type { RunStream } from "../transport/transport.ts";
import type { ActionContext } from "./action-context.ts";
import { changeConversationIn, failureOf } from "./action-context.ts";
import { createAnswerWriter, textLength } from "./answer-writer.ts";
import type { Conversations } from "./conversation.ts";
import { createPause } from "./pause.ts";
import type { RunPhase, RunPhaseEvent } from "./run-phase.ts";
import { isLive, next, shownPhase, waitBefore } from "./run-phase.ts";
import type { TitleTyping } from "./title-typing.ts";
import { CANCEL_GRACE_MS, OFFLINE_WAIT_MS, TITLE_GRACE_MS } from "../timings.ts";

export interface RunSession {
  /** Ends the run, here and on the server; what has been said stays. */
  stop(): Promise<void>;
  /** Tries at once what it was waiting to try again. */
  hurry(): void;
  /** Lets go of the run and leaves the state as it is. */
  drop(): void;
  /** Resolves when there is nothing more to hear. */
  readonly closed: Promise<void>;
}

export interface RunSessionOptions {
  readonly context: ActionContext;
  readonly conversations: Conversations;
  readonly titles: TitleTyping;
  readonly threadId: string;
  /** The answer as it stands in the state. */
  readonly answer: Message;
  /** Makes the call that begins the run; without it the run is joined. */
  readonly begin?: (signal: AbortSignal) => Promise<RunStream>;
  /** The backend has heard the question. */
  readonly onHeard?: () => void;
  /** The backend refused the question, because another run goes on in the thread. */
  readonly onBusy?: () => void;
  /** Stopped before anything had left the browser: the question is the visitor's again. */
  readonly onWithdrawn?: (() => void) | undefined;
  /** It is over, and the backend has not heard the question, or nobody knows. */
  readonly onUnheard?: (reason: Error) => void;
  readonly onSettled: (answer: Message) => void;
}

export function startRunSession(options: RunSessionOptions): RunSession {
  const { context, conversations, titles, threadId, begin } = options;
  const { store, transport, after } = context;
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal, context.signal]);
  const settled = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<void>();
  heard.promise.then(options.onHeard, options.onUnheard ?? (() => undefined));
  const pause = createPause(context, signal);
  let phase: RunPhase = { type: "running", link: "calling", heard: begin === undefined, attempt: 0 };
  /** The id of the last event. */
  let cursor: string | undefined;
  /** A call was made while there was a network: the backend may have heard the question. */
  let hasCalled = begin === undefined;
  /** How many events this connection has told since the run's first, and the most that any has. */
  let position = 0;
  let furthest = 0;
  /** The calls of tools of which the host has been told. */
  const called = new Set<string>();
  let writer = writerOf(options.answer, 0);
  if (!begin) heard.resolve();

  return {
    closed: follow().finally(() => close(new Error("the connection was closed"))),
    hurry: () => pause.hurry(),
    drop: () => {
      writer.stop();
      close(new Error("the thread or the widget was taken away"));
    },
    stop,
  };

  function advance(event: RunPhaseEvent): RunPhase {
    const now = next(phase, event);
    phase = now;
    if (isLive(now)) change((conversation) => setPhase(conversation, shownPhase(now)));
    return now;
  }

  function close(reason: Error): void {
    advance({ type: "close" });
    heard.reject(reason);
    controller.abort();
  }

  /** Connects and reads until the answer has settled, or there is no more to be hoped for. */
  async function follow(): Promise<void> {
    while (!signal.aborted) {
      let cause: unknown;
      const { offline = false } = store.get();
      hasCalled ||= !offline;
      try {
        const stream = await connect();
        if (stream) await read(stream);
        else await reconcile();
      } catch (error) {
        if (signal.aborted) return;
        if (isFinal(error)) return refuse(error);
        cause = error;
      }
      if (!isLive(phase)) return;
      const wait = waitBefore(phase) ?? 0;
      // What never left the browser is sent once to any backend.
      const left = advance({ type: "lose", canRejoin: transport.joinRun !== undefined || !hasCalled });
      if (left.type === "lost") return lose(cause, left.heard);
      await pause.wait(store.get().offline ? OFFLINE_WAIT_MS : wait);
      advance({ type: "retry" });
    }
  }

  async function connect(): Promise<RunStream | undefined> {
    if (begin && isLive(phase) && !phase.heard) {
      const stream = await begin(signal);
      advance({ type: "connect" });
      heard.resolve();
      return stream;
    }
    const stream = await transport.joinRun?.(threadId, cursor, signal);
    if (stream) advance({ type: "connect" });
    if (stream && cursor === undefined) {
      position = 0;
      // Without a cursor the run is told from its first event on: the answer is written anew.
      const shown = conversationOf(store.get(), threadId).messages.find(({ id }) => id === currentId());
      writer.stop();
      writer = writerOf(shown ?? options.answer, shown ? textLength(partsOf(shown)) : 0);
    }
    return stream;
  }

  async function read(stream: RunStream): Promise<void> {
    let said = false;
    try {
      for (let frame = await stream.next(); ; frame = await stream.next()) {
        if (frame.done) {
          said = frame.value;
          break;
        }
        cursor = frame.value.id ?? cursor;
        position += 1;
        // Without ids each connection tells the run from its first event on: what was told before is no progress.
        if (position > furthest) {
          furthest = position;
          advance({ type: "progress" });
        }
        if (!writer.push(frame.value.event)) await writer.drained();
      }
    } catch (error) {
      // A connection that breaks in the middle is lost like one that closes; only our own leaving is an end.
      if (signal.aborted) throw error;
    }
    await writer.drained();
    if (said) finish({ type: "complete" });
  }

  /** No run goes on: what became of it is in the history. */
  async function reconcile(): Promise<void> {
    const list = await conversations.reload(threadId);
    const answer = list.find(({ id }) => id === currentId());
    if (!answer || answer.status?.type === "running") return;
    writer.stop();
    settleAs(answer);
  }

  async function stop(): Promise<void> {
    if (phase.type !== "running") return;
    const { heard: isHeard } = phase;
    if (!hasCalled && options.onWithdrawn && advance({ type: "refuse" }).type === "refused") {
      options.onWithdrawn();
      return close(new Error("the question was taken back"));
    }
    advance({ type: "stop" });
    if (transport.cancelRun) {
      const grace = Promise.withResolvers<void>();
      const clear = after(CANCEL_GRACE_MS, grace.resolve);
      // A run that the server has not heard of cannot be cancelled there yet.
      if (!isHeard) await Promise.race([heard.promise.catch(() => undefined), settled.promise, grace.promise]);
      const cancelled = transport.cancelRun(threadId).then(
        () => true,
        () => false,
      );
      // A call that hangs must not keep the answer going.
      const isCancelled = await Promise.race([cancelled, grace.promise]);
      pause.hurry();
      if (isCancelled) await Promise.race([settled.promise, grace.promise]);
      clear();
    }
    finish({ type: "incomplete", reason: "cancelled" });
    close(new Error("the question was stopped before the backend had heard it"));
  }

  function refuse(error: HttpError): void {
    const { onBusy } = options;
    if (error.status === 409 && transport.joinRun && onBusy && advance({ type: "refuse" }).type === "refused") {
      onBusy();
      return close(error);
    }
    context.logError(error.message);
    finish({ type: "incomplete", reason: "error", error: error.message }, failureOf(context, error));
    return close(error);
  }

  /** The connection is gone, and is not to be had again. */
  function lose(cause: unknown, isHeard: boolean): void {
    if (cause instanceof HttpError && cause.status > 0) return refuse(cause);
    const error = cause instanceof Error ? cause : new Error("the connection closed before the answer ended");
    context.logError(`Upstream ${cause instanceof HttpError ? cause.status : 200}: ${error.message}`);
    const failure = failureOf(context, error);
    finish({ type: "incomplete", reason: "error" }, isHeard ? { ...failure, kind: "lost" } : failure);
    return close(error);
  }

  /** Writes what has been said, and settles the answer if that has not settled it. */
  function finish(status: MessageStatus, failure?: Failure): void {
    writer.flush();
    settleAs(settle(writer.answer(), status).message, failure);
  }

  function settleAs(answer: Message, failure?: Failure): void {
    if (phase.type === "settled" || advance({ type: "settle" }).type !== "settled") return;
    change((conversation) => endRun(conversation, answer, failure));
    options.onSettled(answer);
    settled.resolve();
    if (signal.aborted) return;
    // The stream may still tell the thread's title; it is not listened to for ever.
    const clear = after(TITLE_GRACE_MS, () => controller.abort());
    signal.addEventListener("abort", clear, { once: true });
  }

  function writerOf(answer: Message, shownLength: number) {
    return createAnswerWriter({
      answer: beginAnswer(answer.id, answer.parentId),
      shownLength,
      schedule: context.schedule,
      isHidden: context.isHidden,
      onWrite: ({ message }, appended) => {
        // A stream that is still listened to must not write into the thread's next run.
        if (!isLive(phase)) return undefined;
        const { status } = message;
        if (status?.type === "running") {
          return change((conversation) => writeAnswer(conversation, message, appended));
        }
        if (status?.type === "incomplete" && status.reason !== "cancelled") {
          const error = status.error ?? status.reason;
          context.logError(`Upstream 200: ${error}`);
          context.emit({ type: "error", error: new Error(error) });
        }
        return settleAs(message);
      },
      onTold: (event) => {
        if (event.type === "tool-input-available") {
          const { toolCallId, toolName, input: args } = event;
          // A run that is rejoined may be told from its first event on.
          if (!isLive(phase) || called.has(toolCallId)) return undefined;
          called.add(toolCallId);
          const messageId = writer.answer().message.id;
          return context.emit({ type: "toolcall", threadId, messageId, toolCallId, toolName, args });
        }
        if (event.type === "data-thinking" || event.type === "data-progress") {
          return isLive(phase) && change((conversation) => setActivity(conversation, event.text));
        }
        return titles.type(threadId, event.title);
      },
    });
  }

  /** The answer's name in the state, which a reloaded history may have taught us. */
  function currentId(): string {
    return conversationOf(store.get(), threadId).run?.answerId ?? options.answer.id;
  }

  function change(how: (conversation: Conversation) => Conversation): void {
    changeConversationIn(context, threadId, how);
  }
}

/** Whether trying again would be answered the same. A backend that cannot be reached, or is just starting, may recover. */
function isFinal(error: unknown): error is HttpError {
  return error instanceof HttpError && error.status >= 400 && ![502, 503, 504].includes(error.status);
}
