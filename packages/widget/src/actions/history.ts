import type { Message } from "@nitka/protocol";
import * as messages from "../store/messages.ts";
import { conversationOf } from "../store/selectors.ts";
import type { ActionContext } from "./action-context.ts";
import { changeConversationIn, failureOf } from "./action-context.ts";

/** Loads what was said in threads before, once each. */
export interface History {
  /** Resolves when the thread's history is there or has failed; at once when it is cached. */
  load(threadId: string): Promise<void>;
  /** Loads it although it is cached, and keeps the branch that is shown. Rejects when it cannot be had. */
  reload(threadId: string): Promise<readonly Message[]>;
  /** As `reload`, in the background: what has been said meanwhile goes before, and a failure is no matter. */
  refresh(threadId: string, branch: "shown" | "latest"): Promise<void>;
}

/**
 * @param onLoaded called when messages have come of which one may still be running: its run is to be joined
 */
export function createHistory(context: ActionContext, onLoaded: (threadId: string) => void): History {
  const { store, transport } = context;
  const loading = new Map<string, Promise<void>>();

  const loadFirst = async (threadId: string) => {
    changeConversationIn(context, threadId, messages.beginHistory);
    try {
      const list = await transport.listMessages(threadId);
      changeConversationIn(context, threadId, (conversation) => messages.setHistory(conversation, list));
    } catch (error) {
      const failure = failureOf(context, error);
      return changeConversationIn(context, threadId, (conversation) => messages.failHistory(conversation, failure));
    }
    return onLoaded(threadId);
  };
  return {
    async reload(threadId) {
      const list = await transport.listMessages(threadId);
      changeConversationIn(context, threadId, (conversation) =>
        messages.setHistory(conversation, list, conversation.headId),
      );
      return list;
    },
    async refresh(threadId, branch) {
      const before = conversationOf(store.get(), threadId);
      const list = await transport.listMessages(threadId).catch(() => undefined);
      const now = conversationOf(store.get(), threadId);
      if (!list || now.run || now.messages !== before.messages) return;
      changeConversationIn(context, threadId, (conversation) =>
        messages.setHistory(conversation, list, branch === "shown" ? conversation.headId : undefined),
      );
      onLoaded(threadId);
    },
    load(threadId) {
      if (conversationOf(store.get(), threadId).history === "ready") return Promise.resolve();
      const load = loading.get(threadId) ?? loadFirst(threadId).finally(() => loading.delete(threadId));
      loading.set(threadId, load);
      return load;
    },
  };
}
