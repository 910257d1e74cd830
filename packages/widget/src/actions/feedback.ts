import type { Feedback } from "@nitka/protocol";
import { changeMessage } from "../store/conversation.ts";
import { conversationOf } from "../store/selectors.ts";
import type { Failure } from "../store/state.ts";
import type { ActionContext } from "./action-context.ts";
import { changeConversationIn, failureOf } from "./action-context.ts";
import type { Actions, Rating } from "./actions.ts";

/** The ratings of an answer that are being sent. */
interface Pending {
  /** The last rating that the backend has confirmed. */
  confirmed: Feedback | undefined;
  /** Resolves when the last rating is sent or has failed. */
  last: Promise<unknown>;
}

/**
 * Creates the action that rates answers. A rating is shown at once and sent after the ones before it. If the last one is
 * refused, the answer shows the last confirmed rating.
 */
export function createFeedback(context: ActionContext): Actions["rate"] {
  const { store, transport } = context;
  const pendingOf = new Map<string, Pending>();

  const show = (threadId: string, messageId: string, feedback: Feedback | undefined) =>
    changeConversationIn(context, threadId, (conversation) =>
      changeMessage(conversation, messageId, (message) => {
        const { feedback: _, ...rest } = message;
        return feedback ? { ...rest, feedback } : rest;
      }),
    );

  const send = async (
    threadId: string,
    messageId: string,
    { rating, reason }: Rating,
  ): Promise<Failure | undefined> => {
    try {
      if (!transport.sendFeedback) throw new Error("Nitka: the backend accepts no feedback.");
      await transport.sendFeedback(threadId, messageId, { rating, ...(reason && { reason }) });
      context.emit({ type: "feedback", detail: { threadId, messageId, rating, ...(reason && { reason }) } });
      return undefined;
    } catch (error) {
      return failureOf(context, error);
    }
  };

  return async (threadId, messageId, given) => {
    const key = JSON.stringify([threadId, messageId]);
    const { rating, reason } = given;
    const feedback = rating ? { rating, ...(reason && { reason }) } : undefined;
    const shown = conversationOf(store.get(), threadId).messages.find(({ id }) => id === messageId)?.feedback;
    const pending = pendingOf.get(key) ?? { confirmed: shown, last: Promise.resolve() };
    pendingOf.set(key, pending);
    show(threadId, messageId, feedback);
    const sent = pending.last.then(() => send(threadId, messageId, given));
    pending.last = sent;
    const failure = await sent;
    if (!failure) pending.confirmed = feedback;
    if (pending.last === sent) {
      pendingOf.delete(key);
      if (failure) show(threadId, messageId, pending.confirmed);
    }
    return failure;
  };
}
