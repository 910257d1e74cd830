/** Begins runs and handles their results. */
import type { Message, MessageStatus, RunTrigger, UserMessage } from "@nitka/protocol";
import { beginAnswer } from "@nitka/protocol/begin-answer";
import { loadChunk } from "../../load-chunk.ts";
import * as branches from "../../store/branches.ts";
import { addRun, addToOutbox, endRun, followRun, removeFromOutbox, withdrawRun } from "../../store/conversation.ts";
import { canRegenerate, conversationOf, isRunning } from "../../store/selectors.ts";
import type { Conversation, ReadyConversation } from "../../store/state.ts";
import type { ActionContext } from "../action-context.ts";
import { changeConversationIn, failureOf } from "../action-context.ts";
import type { Actions } from "../actions.ts";
import type { Conversations } from "../conversation.ts";
import type { LazyPageTools } from "../tools/load-page-tools.ts";
import type { QuestionChanges } from "../question-changes.ts";
import type { AnswerWriterCode } from "./run-link.ts";
import { loadAnswerWriter } from "./run-link.ts";
import type { RunSession, RunSessionOptions } from "./run-session.ts";
import { startRunSession } from "./run-session.ts";
import type { ThreadOrder } from "../thread-order.ts";
import type { TitleTyping } from "../title-typing.ts";

/** A question's text and files. */
export type QuestionContent = Pick<Message, "content" | "attachments">;

/** Callbacks for the result of a question. */
export interface QuestionCallbacks {
  /** The backend has confirmed the question. */
  readonly onConfirmed?: () => void;
  /**
   * The backend has refused the question because another run is active in the thread. The conversation no longer contains it.
   */
  readonly onRefused?: () => void;
  /** The visitor has stopped the run before the question left the page. The conversation no longer contains it. */
  readonly onWithdrawn?: () => void;
  /** The run is over, and the backend has not confirmed the question. */
  readonly onUnconfirmed?: (reason: Error) => void;
}

export interface Runs extends Pick<Actions, "stop" | "regenerate" | "retry" | "submitEdit" | "selectBranch"> {
  /**
   * Asks a question at the end of the thread's shown branch. No run may be active in the thread.
   *
   * @returns the question's id
   */
  ask(question: AskOptions): string;
  /** Retries lost connections at once. */
  retryNow(): void;
  /** Stops following the runs of a thread, or of all threads. */
  detach(threadId?: string): void;
}

interface AskOptions extends QuestionCallbacks {
  readonly threadId: string;
  readonly conversation: ReadyConversation;
  readonly question: QuestionContent;
}

interface AnswerOptions extends QuestionCallbacks {
  readonly threadId: string;
  readonly question: Message;
  readonly trigger: RunTrigger;
  /** The failed answer to replace. By default a new answer is added. */
  readonly answerId?: string;
  /** By default the chosen model. */
  readonly model?: string;
}

interface RunsOptions {
  readonly context: ActionContext;
  readonly conversations: Conversations;
  readonly list: ThreadOrder;
  readonly titles: TitleTyping;
  readonly pageTools: Pick<LazyPageTools, "read" | "request">;
}

export function createRuns({ context, conversations, list, titles, pageTools }: RunsOptions): Runs {
  const { store, transport, newId } = context;
  /** The thread of each session. A session is kept while its stream may still bring a title. */
  const sessions = new Map<RunSession, string>();
  /** Ids of answers that the backend does not know: they settled before the backend had sent its own id. */
  const localIds = new Set<string>();
  let answerWriter: AnswerWriterCode | undefined;
  loadAnswerWriter().then(
    (code) => (answerWriter = code),
    // Each run tries to load it again.
    () => undefined,
  );

  const change = (threadId: string, changed: (conversation: Conversation) => Conversation) =>
    changeConversationIn(context, threadId, changed);
  const messageIn = (conversation: Conversation, messageId: string | undefined) =>
    conversation.messages.find(({ id }) => id === messageId);

  /** Shows an answer to a question and asks the backend for it. */
  const startAnswer = (options: AnswerOptions) => {
    const { threadId, question, trigger, answerId = newId() } = options;
    const { onConfirmed, onUnconfirmed, onRefused, onWithdrawn } = options;
    const state = store.get();
    const { config } = state;
    const { model = state.model } = options;
    const { headId } = conversationOf(state, threadId);
    const answer = beginAnswer(answerId, question.id).message;
    const isNew = trigger === "submit-message";
    list.bump(threadId);
    change(threadId, (conversation) => {
      const running = addRun(conversation, { question, answer, phase: "preparing" });
      return isNew ? addToOutbox(running, question.id) : running;
    });
    /** The page is read once, although the question may be posted again when the connection fails. */
    let page: ReturnType<typeof pageTools.read>;
    const withdraw = () => change(threadId, (conversation) => withdrawRun(conversation, headId));
    openSession(threadId, answer, {
      begin: async (signal, onSent) => {
        page ??= pageTools.read();
        const request = {
          messages: [await toRequest(threadId, question)],
          ...(!isNew && { trigger }),
          ...(config.models && model !== undefined && { model }),
          ...(await page),
        } as const;
        return transport.startRun(threadId, request, signal, onSent);
      },
      onConfirmed() {
        if (conversationOf(store.get(), threadId).outbox.includes(question.id)) {
          change(threadId, (conversation) => removeFromOutbox(conversation, question.id));
          context.emit({ type: "message", detail: { threadId, message: question } });
        }
        onConfirmed?.();
      },
      onWithdrawn:
        onWithdrawn &&
        (() => {
          withdraw();
          onWithdrawn();
          join(threadId);
        }),
      onBusy() {
        withdraw();
        onRefused?.();
        // If the messages cannot be loaded now, the local ones may show the active run.
        void conversations.refresh(threadId, "latest").then(() => context.signal.aborted || join(threadId));
      },
      onUnconfirmed,
    });
  };

  /**
   * The question as it is posted. Its parent must be a message that the backend knows. If the shown parent is not known,
   * another message becomes the parent, in the view and in the request.
   */
  const toRequest = async (threadId: string, question: Message): Promise<UserMessage> => {
    // The status is not sent, because only the view uses it.
    const { status: _, parentId = null, ...rest } = question;
    const message: UserMessage = { ...rest, role: "user" };
    const confirmedParent = () => branches.confirmedParentOf(conversationOf(store.get(), threadId), question.id);
    const isKnown = (id: string | null) => id === null || !localIds.has(id);
    if (parentId === null || (isKnown(parentId) && confirmedParent() === parentId)) return { ...message, parentId };
    // The backend may now have an id for the answer, or may have received the question after all.
    if (transport.joinRun) await conversations.reload(threadId);
    const parent = confirmedParent();
    change(threadId, (conversation) => branches.setParent(conversation, question.id, parent));
    // If the request names no parent, a backend appends the question to the shown branch.
    return isKnown(parent) ? { ...message, parentId: parent } : message;
  };

  const openSession = (
    threadId: string,
    answer: Message,
    request: Pick<RunSessionOptions, "begin" | "onConfirmed" | "onBusy" | "onWithdrawn" | "onUnconfirmed">,
  ) => {
    let hasEnded = false;
    const emitEnd = (messageId: string, status: MessageStatus) => {
      hasEnded = true;
      context.emit({ type: "runend", detail: { threadId, messageId, status } });
    };
    context.emit({ type: "runstart", detail: { threadId, messageId: answer.parentId ?? "" } });
    const session = startRunSession({
      context,
      conversations,
      titles,
      pageTools,
      threadId,
      answerWriter: () => answerWriter,
      answer,
      ...request,
      onSettled(message) {
        if (request.begin && message.id === answer.id) localIds.add(message.id);
        list.touch(threadId);
        context.emit({ type: "message", detail: { threadId, message } });
        emitEnd(message.id, message.status ?? { type: "complete" });
        // If stored messages settled this run, they may contain a newer run that another page has begun.
        join(threadId);
      },
    });
    sessions.set(session, threadId);
    void session.closed.then(() => {
      sessions.delete(session);
      // The question was withdrawn, or its thread was removed.
      if (!hasEnded && !context.signal.aborted) emitEnd(answer.id, { type: "incomplete", reason: "cancelled" });
    });
  };

  /** Joins the run that is in progress according to a thread's messages. */
  const join = (threadId: string) => {
    const conversation = conversationOf(store.get(), threadId);
    const answer = conversation.messages.findLast(({ status }) => status?.type === "running");
    if (!answer || conversation.run) return;
    const question = branches.questionOf(conversation, answer.id);
    if (transport.joinRun && question) {
      change(threadId, (before) => followRun(before, { questionId: question.id, answerId: answer.id }));
      return openSession(threadId, answer, {});
    }
    // The run cannot be joined: the answer keeps its text and is marked as interrupted.
    const interrupted: Message = { ...answer, status: { type: "incomplete", reason: "interrupted" } };
    return change(threadId, (before) => endRun(before, interrupted));
  };
  conversations.onLoaded(join);

  /** Asks for another answer to the same question. */
  const regenerate = (threadId: string, answerId: string, model?: string) => {
    const state = store.get();
    const conversation = conversationOf(state, threadId);
    const answer = messageIn(conversation, answerId);
    const question = branches.questionOf(conversation, answerId);
    if (!answer || !question || !canRegenerate(state, threadId, answer)) return;
    // A question of the outbox is posted again under its own id. The new answer takes the failed answer's id and place.
    if (conversation.outbox.includes(question.id))
      startAnswer({ threadId, question, trigger: "submit-message", answerId, ...(model !== undefined && { model }) });
    else startAnswer({ threadId, question, trigger: "regenerate-message", ...(model !== undefined && { model }) });
  };

  const loadChanges = loadChunk(() => import("../question-changes.ts"));
  let changes: QuestionChanges | undefined;
  const changed = (act: (code: QuestionChanges) => void) =>
    loadChanges().then(
      ({ createQuestionChanges }) => {
        const rejoin = (threadId: string, answer: Message) => openSession(threadId, answer, {});
        changes ??= createQuestionChanges({ context, startAnswer, rejoin, regenerate });
        act(changes);
      },
      // The message stays as it is, so that the visitor can try again.
      (error: unknown) => void failureOf(context, error),
    );

  return {
    ask({ threadId, conversation, question, ...callbacks }) {
      const message: Message = { id: newId(), role: "user", ...question, parentId: conversation.headId ?? null };
      startAnswer({ threadId, question: message, trigger: "submit-message", ...callbacks });
      return message.id;
    },
    async stop(threadId) {
      await [...sessions].findLast(([, id]) => id === threadId)?.[0].stop();
    },
    regenerate,
    retry: (...message) => changed((code) => code.retry(...message)),
    submitEdit: (threadId) => changed((code) => code.submitEdit(threadId)),
    selectBranch(threadId, messageId) {
      if (isRunning(store.get(), threadId)) return;
      change(threadId, (conversation) => branches.selectBranch(conversation, messageId));
      // The branch is shown even if the backend does not store it.
      void transport.selectBranch?.(threadId, messageId).catch(() => undefined);
    },
    retryNow() {
      for (const session of sessions.keys()) session.retryNow();
    },
    detach(threadId) {
      for (const [session, id] of sessions) if (threadId === undefined || id === threadId) session.detach();
    },
  };
}
