/** What a visitor does with an earlier question: retrying or editing it. This code loads when it is first needed. */
import type { Message } from "@nitka/protocol";
import * as branches from "../store/branches.ts";
import { endEdit, withText } from "../store/composer.ts";
import { addRun } from "../store/conversation.ts";
import { canSubmitEdit, conversationOf } from "../store/selectors.ts";
import type { ActionContext } from "./action-context.ts";
import { changeConversationIn } from "./action-context.ts";
import type { Actions } from "./actions.ts";

export interface QuestionChanges {
  retry(threadId: string, messageId: string): void;
  submitEdit(threadId: string): void;
}

interface QuestionChangesOptions {
  readonly context: ActionContext;
  /** Asks a question. The callbacks report that it was not asked after all. */
  readonly startAnswer: (options: {
    readonly threadId: string;
    readonly question: Message;
    readonly trigger: "submit-message";
    readonly onRefused: () => void;
    readonly onWithdrawn: () => void;
  }) => void;
  /** Follows a run that may still be active. */
  readonly rejoin: (threadId: string, answer: Message) => void;
  readonly regenerate: Actions["regenerate"];
}

export function createQuestionChanges(options: QuestionChangesOptions): QuestionChanges {
  const { context, startAnswer, rejoin, regenerate } = options;
  const { store, transport, newId } = context;
  return {
    retry(threadId, messageId) {
      const conversation = conversationOf(store.get(), threadId);
      const message = conversation.messages.find(({ id }) => id === messageId);
      const answer =
        message?.role === "user" ? conversation.messages.findLast(({ parentId }) => parentId === messageId) : message;
      if (!answer) return undefined;
      const question = branches.questionOf(conversation, answer.id);
      const isLost = answer === message && conversation.failures[answer.id]?.kind === "lost";
      if (!transport.joinRun || !isLost || !question || conversation.run) return regenerate(threadId, answer.id);
      // An answer whose connection was lost may have been completed on the server meanwhile.
      const running: Message = { ...answer, status: { type: "running" } };
      changeConversationIn(context, threadId, (before) =>
        addRun(before, { question, answer: running, phase: "rejoining" }),
      );
      return rejoin(threadId, running);
    },
    submitEdit(threadId) {
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
      const reopen = () => changeConversationIn(context, threadId, (current) => ({ ...current, edit }));
      changeConversationIn(context, threadId, endEdit);
      startAnswer({ threadId, question, trigger: "submit-message", onRefused: reopen, onWithdrawn: reopen });
    },
  };
}
