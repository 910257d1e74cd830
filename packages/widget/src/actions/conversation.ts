import type { Message } from "@nitka/protocol";
import { startLoadingMessages, failLoadingMessages, setMessages } from "../store/conversation.ts";
import { conversationOf } from "../store/selectors.ts";
import type { ActionContext } from "./action-context.ts";
import { changeConversationIn, failureOf } from "./action-context.ts";

/** Loads the messages of threads. */
export interface Conversations {
  /** Resolves when a thread's messages are there or have failed; at once when they are cached. */
  load(threadId: string): Promise<void>;
  /** Loads them although they are cached. The shown branch stays. Rejects when they cannot be loaded. */
  reload(threadId: string): Promise<readonly Message[]>;
  /** Loads them in the background. Does nothing when that fails, or when something has been said meanwhile. */
  refresh(threadId: string, branch: "shown" | "latest"): Promise<void>;
  /** Sets the listener, which is called after each `load` and `refresh`: an answer among the messages may be running. */
  onLoaded(listener: (threadId: string) => void): void;
}

export function createConversations(context: ActionContext): Conversations {
  const { store, transport } = context;
  const loading = new Map<string, Promise<void>>();
  let notify: (threadId: string) => void = () => undefined;

  const loadFirst = async (threadId: string) => {
    changeConversationIn(context, threadId, startLoadingMessages);
    try {
      const messages = await transport.listMessages(threadId);
      changeConversationIn(context, threadId, (conversation) => setMessages(conversation, messages));
    } catch (error) {
      const failure = failureOf(context, error);
      return changeConversationIn(context, threadId, (conversation) => failLoadingMessages(conversation, failure));
    }
    return notify(threadId);
  };
  return {
    onLoaded(listener) {
      notify = listener;
    },
    async reload(threadId) {
      const messages = await transport.listMessages(threadId);
      changeConversationIn(context, threadId, (conversation) =>
        setMessages(conversation, messages, conversation.headId),
      );
      return messages;
    },
    async refresh(threadId, branch) {
      const asked = conversationOf(store.get(), threadId);
      const messages = await transport.listMessages(threadId).catch(() => undefined);
      const now = conversationOf(store.get(), threadId);
      if (!messages || now.run || now.messages !== asked.messages) return;
      changeConversationIn(context, threadId, (conversation) =>
        setMessages(conversation, messages, branch === "shown" ? conversation.headId : undefined),
      );
      notify(threadId);
    },
    load(threadId) {
      if (conversationOf(store.get(), threadId).load.status === "ready") return Promise.resolve();
      const load = loading.get(threadId) ?? loadFirst(threadId).finally(() => loading.delete(threadId));
      loading.set(threadId, load);
      return load;
    },
  };
}
