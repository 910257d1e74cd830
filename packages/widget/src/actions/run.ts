/** What begins runs, and what becomes of them. */
import type { Message, MessageStatus, RunTrigger, UserMessage } from "@nitka/protocol";
import { beginAnswer } from "@nitka/protocol/apply-event";
import * as branches from "../store/branches.ts";
import { endEdit, withText } from "../store/composer.ts";
import { addRun, addToOutbox, endRun, removeFromOutbox, withdrawRun } from "../store/conversation.ts";
import type { ReadyConversation } from "../store/state.ts";
import { canRegenerate, canSubmitEdit, conversationOf, isRunning } from "../store/selectors.ts";
import type { ActionContext } from "./action-context.ts";
import { changeConversationIn } from "./action-context.ts";
import type { Actions } from "./actions.ts";
import type { Conversations } from "./conversation.ts";
import type { RunSession } from "./run-session.ts";
import { startRunSession } from "./run-session.ts";
import type { ThreadList } from "./thread-list.ts";
import type { TitleTyping } from "./title-typing.ts";

/** What a draft becomes: a question's words and files. */
export type Question = Pick<Message, "content" | "attachments">;

/** What becomes of a question. */
export interface Fate {
  /** The backend has heard it. */
  readonly heard?: () => void;
  /** The backend would not hear it while another run goes on: the question is taken back. */
  readonly refused?: () => void;
  /** The visitor has taken it back before it was sent. */
  readonly withdrawn?: () => void;
  /** The backend has not heard it, for whatever reason. */
  readonly unheard?: (reason: Error) => void;
}

export interface Runs extends Pick<Actions, "stop" | "regenerate" | "retry" | "submitEdit" | "selectBranch"> {
  /** Asks at the end of the shown branch of a thread in which nothing runs. Gives the question's id. */
  ask(threadId: string, conversation: ReadyConversation, question: Question, fate?: Fate): string;
  /** Joins the run that the thread's history says goes on. */
  join(threadId: string): void;
  /** Tries lost connections again, at once. */
  hurry(): void;
  /** Lets go of a thread's run, or of all. */
  drop(threadId?: string): void;
}

export function createRuns(
  context: ActionContext,
  conversations: Conversations,
  list: ThreadList,
  titles: TitleTyping,
): Runs {
  const { store, transport, newId } = context;
  /** Also those whose answer has settled, while their streams may still tell a title. */
  const sessions = new Map<RunSession, string>();
  /** Answers that ended before the backend had told their names. */
  const unnamed = new Set<string>();
  const sessionOf = (threadId: string) => [...sessions].findLast(([, id]) => id === threadId)?.[0];

  /** Starts an answer to a question. */
  const run = (threadId: string, question: Message, trigger: RunTrigger, fate: Fate = {}, answerId = newId()) => {
    const before = store.get();
    const { headId } = conversationOf(before, threadId);
    const answer = beginAnswer(answerId, question.id).message;
    list.bump(threadId);
    const isNew = trigger === "submit-message";
    changeConversationIn(context, threadId, (conversation) => {
      const running = addRun(conversation, { question, answer, phase: "sending" });
      return isNew ? addToOutbox(running, question.id) : running;
    });
    const { model, config } = before;
    open(threadId, answer, {
      begin: async (signal) =>
        transport.run(
          threadId,
          {
            messages: [await place(threadId, question)],
            ...(isNew ? {} : { trigger }),
            ...(config.models && model !== undefined ? { model } : {}),
          },
          signal,
        ),
      onHeard: () => {
        changeConversationIn(context, threadId, (conversation) => removeFromOutbox(conversation, question.id));
        fate.heard?.();
      },
      onWithdrawn:
        fate.withdrawn &&
        (() => {
          changeConversationIn(context, threadId, (conversation) => withdrawRun(conversation, headId));
          fate.withdrawn?.();
        }),
      onBusy: () => {
        changeConversationIn(context, threadId, (conversation) => withdrawRun(conversation, headId));
        fate.refused?.();
        void conversations.refresh(threadId, "latest");
      },
      onUnheard: (reason) => fate.unheard?.(reason),
    });
  };

  /** The question as it goes over the wire: it hangs on a message that the backend knows, there and here. */
  const place = async (threadId: string, question: Message): Promise<UserMessage> => {
    // The status is the view's alone.
    const { status: _, parentId = null, ...rest } = question;
    const message: UserMessage = { ...rest, role: "user" };
    const isNamed = (id: string | null) => id === null || !unnamed.has(id);
    const heardParent = () => branches.confirmedParentOf(conversationOf(store.get(), threadId), question.id);
    if (parentId === null || (isNamed(parentId) && heardParent() === parentId)) return { ...message, parentId };
    // What was lost on the way, a name or a whole question, the history may know by now.
    if (transport.joinRun) await conversations.reload(threadId);
    const parent = heardParent();
    changeConversationIn(context, threadId, (before) => branches.setParent(before, question.id, parent));
    // Without a parent, a backend takes the end that it has.
    return isNamed(parent) ? { ...message, parentId: parent } : message;
  };

  const open = (
    threadId: string,
    answer: Message,
    call: Partial<
      Pick<Parameters<typeof startRunSession>[0], "begin" | "onHeard" | "onBusy" | "onWithdrawn" | "onUnheard">
    >,
  ) => {
    const isAlive = () => !context.signal.aborted;
    let status: MessageStatus | undefined;
    const end = (messageId: string, ended: MessageStatus) => {
      status = ended;
      context.emit({ type: "runend", threadId, messageId, status });
    };
    context.emit({ type: "runstart", threadId, messageId: answer.parentId ?? "" });
    const session = startRunSession({
      context,
      conversations,
      titles,
      threadId,
      answer,
      ...call,
      onSettled: (message) => {
        if (call.begin && message.id === answer.id) unnamed.add(message.id);
        list.touch(threadId);
        context.emit({ type: "message", threadId, message });
        end(message.id, message.status ?? { type: "complete" });
        // The history that ended this run may tell of another one, which a second page has begun.
        join(threadId);
      },
    });
    sessions.set(session, threadId);
    void session.closed.then(() => {
      sessions.delete(session);
      // Refused, or taken away with its thread.
      if (!status && isAlive()) end(answer.id, { type: "incomplete", reason: "cancelled" });
    });
  };

  const join = (threadId: string) => {
    const conversation = conversationOf(store.get(), threadId);
    const answer = conversation.messages.findLast(({ status }) => status?.type === "running");
    if (!answer || conversation.run) return;
    const question = branches.questionOf(conversation, answer.id);
    if (transport.joinRun && question) {
      changeConversationIn(context, threadId, (before) => ({
        ...before,
        headId: answer.id,
        run: { questionId: question.id, answerId: answer.id, phase: "rejoining" },
      }));
      return open(threadId, answer, {});
    }
    // Nobody will ever finish it here: it stays as it is, and says so.
    const interrupted: Message = { ...answer, status: { type: "incomplete", reason: "interrupted" } };
    return changeConversationIn(context, threadId, (before) => endRun(before, interrupted));
  };

  const rerun = (threadId: string, answerId: string) => {
    const state = store.get();
    const conversation = conversationOf(state, threadId);
    const answer = conversation.messages.find(({ id }) => id === answerId);
    const question = branches.questionOf(conversation, answerId);
    if (!answer || !question || !canRegenerate(state, threadId, answer)) return;
    // A question that nobody has heard is asked again under its own id, and its answer written in the old one's place.
    if (conversation.outbox.includes(question.id)) run(threadId, question, "submit-message", undefined, answerId);
    else run(threadId, question, "regenerate-message");
  };

  return {
    ask(threadId, { headId }, question, fate) {
      const message: Message = { id: newId(), role: "user", ...question, parentId: headId ?? null };
      run(threadId, message, "submit-message", fate);
      context.emit({ type: "message", threadId, message });
      return message.id;
    },
    join,
    async stop(threadId) {
      await sessionOf(threadId)?.stop();
    },
    async regenerate(threadId, answerId) {
      rerun(threadId, answerId);
    },
    async retry(threadId, messageId) {
      const conversation = conversationOf(store.get(), threadId);
      const message = conversation.messages.find(({ id }) => id === messageId);
      if (message?.role === "user") {
        const answer = conversation.messages.findLast(({ parentId }) => parentId === messageId);
        return answer && rerun(threadId, answer.id);
      }
      // What was lost on the way may have been finished on the server meanwhile.
      if (transport.joinRun && conversation.failures[messageId]?.kind === "lost") return recover(threadId, messageId);
      return rerun(threadId, messageId);
    },
    async submitEdit(threadId) {
      const state = store.get();
      const conversation = conversationOf(state, threadId);
      const { edit } = conversation;
      const original = conversation.messages.find(({ id }) => id === edit?.messageId);
      if (!edit || !original || !canSubmitEdit(state, threadId)) return;
      const { attachments } = original;
      const question: Message = {
        id: newId(),
        role: "user",
        content: withText(original, edit.text),
        ...(attachments && { attachments }),
        parentId: branches.parentOf(conversation, original.id),
      };
      changeConversationIn(context, threadId, endEdit);
      run(threadId, question, "submit-message", {
        refused: () => changeConversationIn(context, threadId, (current) => ({ ...current, edit })),
        withdrawn: () => changeConversationIn(context, threadId, (current) => ({ ...current, edit })),
      });
      context.emit({ type: "message", threadId, message: question });
    },
    selectBranch(threadId, messageId) {
      if (isRunning(store.get(), threadId)) return;
      changeConversationIn(context, threadId, (conversation) => branches.selectBranch(conversation, messageId));
      // The branch is shown whether or not the backend remembers it.
      void transport.selectBranch?.(threadId, messageId).catch(() => undefined);
    },
    hurry() {
      for (const session of sessions.keys()) session.hurry();
    },
    drop(threadId) {
      for (const [session, id] of sessions) if (threadId === undefined || id === threadId) session.drop();
    },
  };

  async function recover(threadId: string, answerId: string): Promise<void> {
    const conversation = conversationOf(store.get(), threadId);
    const answer = conversation.messages.find(({ id }) => id === answerId);
    const question = branches.questionOf(conversation, answerId);
    if (!answer || !question || conversation.run) return;
    changeConversationIn(context, threadId, (before) =>
      addRun(before, { question, answer: { ...answer, status: { type: "running" } }, phase: "rejoining" }),
    );
    open(threadId, answer, {});
  }
}
