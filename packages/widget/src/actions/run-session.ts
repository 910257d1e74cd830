/** One run as this widget follows it: from the call that begins or joins it, over lost connections, to its end. */
import type { Message, MessageStatus } from "@nitka/protocol";
import { beginAnswer, settle } from "@nitka/protocol/apply-event";
import { partsOf } from "@nitka/protocol/message";
import * as messages from "../store/messages.ts";
import { conversationOf } from "../store/selectors.ts";
import type { Conversation, Failure } from "../store/state.ts";
import { HttpError } from "../transport/http-error.ts";
import type { RunStream } from "../transport/transport.ts";
import type { ActionContext } from "./action-context.ts";
import { changeConversationIn, failureOf } from "./action-context.ts";
import { createAnswerWriter, textLength } from "./answer-writer.ts";
import type { History } from "./history.ts";
import { createPause } from "./pause.ts";
import type { TitleTyping } from "./title-typing.ts";

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
  readonly history: History;
  readonly titles: TitleTyping;
  readonly threadId: string;
  /** The answer as it stands in the state. */
  readonly answer: Message;
  /** Makes the call that begins the run; without it the run is joined. */
  readonly begin?: (signal: AbortSignal) => Promise<RunStream>;
  /** The backend has heard the question. */
  readonly onAccepted?: () => void;
  /** The backend refused the question, because another run goes on in the thread. */
  readonly onBusy?: () => void;
  readonly onSettled: (answer: Message) => void;
}

/** Waits before each new attempt. A question that nobody has heard is given up sooner than an answer that is being made. */
const REJOIN_MS = [500, 1000, 2000, 4000, 8000, 8000, 8000, 8000];
const REPEAT_MS = [500, 1000, 2000];

/** How long a run may take to end once it is cancelled, and its stream to say the title after the answer. */
const CANCEL_GRACE_MS = 3000;
const TITLE_GRACE_MS = 30_000;

export function startRunSession(options: RunSessionOptions): RunSession {
  const { context, history, titles, threadId, begin } = options;
  const { store, transport, after } = context;
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal, context.signal]);
  const settled = Promise.withResolvers<void>();
  const accepted = Promise.withResolvers<void>();
  const pause = createPause(context, signal);
  let heard = begin === undefined;
  let isSettled = false;
  let isStopping = false;
  /** The id of the last event. */
  let cursor: string | undefined;
  let writer = writerOf(options.answer, 0);

  return {
    closed: follow().finally(() => controller.abort()),
    hurry: () => pause.hurry(),
    drop: () => {
      writer.stop();
      end(() => undefined);
      controller.abort();
    },
    stop,
  };

  /** Connects and reads until the answer has settled, or there is no more to be hoped for. */
  async function follow(): Promise<void> {
    let attempt = 0;
    while (!signal.aborted) {
      let cause: unknown;
      try {
        const stream = await connect();
        const outcome = stream ? await read(stream) : await reconcile();
        if (outcome === "ended") return;
        if (outcome === "progress") attempt = 0;
      } catch (error) {
        if (signal.aborted) return;
        if (isFinal(error)) return refuse(error);
        cause = error;
      }
      const wait = transport.joinRun && (heard ? REJOIN_MS : REPEAT_MS)[attempt];
      if (wait === undefined) return lose(cause);
      attempt += 1;
      change((conversation) => messages.setPhase(conversation, "rejoining"));
      await pause.wait(wait);
    }
  }

  async function connect(): Promise<RunStream | undefined> {
    if (begin && !heard) {
      const stream = await begin(signal);
      heard = true;
      accepted.resolve();
      options.onAccepted?.();
      change((conversation) => messages.setPhase(conversation, "streaming"));
      return stream;
    }
    const stream = await transport.joinRun?.(threadId, cursor, signal);
    if (stream && cursor === undefined) {
      // Without a cursor the run is told from its first event on: the answer is written anew.
      const shown = conversationOf(store.get(), threadId).messages.find(({ id }) => id === currentId());
      writer.stop();
      writer = writerOf(shown ?? options.answer, shown ? textLength(partsOf(shown)) : 0);
    }
    if (stream) change((conversation) => messages.setPhase(conversation, "streaming"));
    return stream;
  }

  async function read(stream: RunStream): Promise<"ended" | "progress" | "lost"> {
    let progress = false;
    let said = false;
    try {
      for (let next = await stream.next(); ; next = await stream.next()) {
        if (next.done) {
          said = next.value;
          break;
        }
        progress = true;
        cursor = next.value.id ?? cursor;
        if (!writer.push(next.value.event)) await writer.drained();
      }
    } catch (error) {
      // A connection that breaks in the middle is lost like one that closes; only our own leaving is an end.
      if (signal.aborted) throw error;
    }
    await writer.drained();
    if (said) finish({ type: "complete" });
    if (isSettled) return "ended";
    return progress ? "progress" : "lost";
  }

  /** No run goes on: what became of it is in the history. */
  async function reconcile(): Promise<"ended" | "lost"> {
    const list = await history.reload(threadId);
    const answer = list.find(({ id }) => id === currentId());
    if (!answer || answer.status?.type === "running") return "lost";
    writer.stop();
    end(() => settleIn(answer));
    return "ended";
  }

  async function stop(): Promise<void> {
    if (isSettled || isStopping) return;
    isStopping = true;
    if (transport.cancelRun) {
      const grace = Promise.withResolvers<void>();
      const clear = after(CANCEL_GRACE_MS, grace.resolve);
      // A run that the server has not heard of cannot be cancelled there yet.
      if (!heard) await Promise.race([accepted.promise, settled.promise, grace.promise]);
      const cancelled = await transport.cancelRun(threadId).then(
        () => true,
        () => false,
      );
      pause.hurry();
      if (cancelled) await Promise.race([settled.promise, grace.promise]);
      clear();
    }
    finish({ type: "incomplete", reason: "cancelled" });
    controller.abort();
  }

  function refuse(error: HttpError): void {
    if (error.status === 409 && !heard && transport.joinRun && options.onBusy) {
      const { onBusy } = options;
      return end(onBusy);
    }
    context.logError(error.message);
    const failure = failureOf(context, error);
    return finish({ type: "incomplete", reason: "error", error: error.message }, failure);
  }

  /** The connection is gone, and is not to be had again. */
  function lose(cause: unknown): void {
    if (cause instanceof HttpError && cause.status > 0) return refuse(cause);
    const error = cause instanceof Error ? cause : new Error("the connection closed before the answer ended");
    context.logError(`Upstream ${cause instanceof HttpError ? cause.status : 200}: ${error.message}`);
    const failure = failureOf(context, error);
    return finish({ type: "incomplete", reason: "error" }, heard ? { ...failure, kind: "lost" } : failure);
  }

  /** Writes what has been said, and settles the answer if that has not settled it. */
  function finish(status: MessageStatus, failure?: Failure): void {
    writer.flush();
    end(() => settleIn(settle(writer.answer(), status).message, failure));
  }

  function end(how: () => void): void {
    if (isSettled) return;
    isSettled = true;
    how();
    settled.resolve();
    if (signal.aborted) return;
    // The stream may still tell the thread's title; it is not listened to for ever.
    const clear = after(TITLE_GRACE_MS, () => controller.abort());
    signal.addEventListener("abort", clear, { once: true });
  }

  function settleIn(answer: Message, failure?: Failure): void {
    change((conversation) => messages.endRun(conversation, answer, failure));
    options.onSettled(answer);
  }

  function writerOf(answer: Message, shownLength: number) {
    return createAnswerWriter({
      answer: beginAnswer(answer.id, answer.parentId),
      shownLength,
      schedule: context.schedule,
      isHidden: context.isHidden,
      onWrite: ({ message }, appended) => {
        const { status } = message;
        if (status?.type === "running") {
          return change((conversation) => messages.writeAnswer(conversation, message, appended));
        }
        if (!isSettled && status?.type === "incomplete" && status.error !== undefined) {
          context.logError(`Upstream 200: ${status.error}`);
          context.emit({ type: "error", error: new Error(status.error) });
        }
        return end(() => settleIn(message));
      },
      onThreadEvent: (event) => {
        if (event.type === "data-thinking" || event.type === "data-progress") {
          return change((conversation) => messages.setActivity(conversation, event.text));
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
