import type { Message } from "@nitka/protocol";
import { loadChunk } from "../load-chunk.ts";
import { startLoadingMessages, failLoadingMessages, setMessages } from "../store/conversation.ts";
import { conversationOf } from "../store/selectors.ts";
import type { ActionContext } from "./action-context.ts";
import { changeConversationIn, failureOf } from "./action-context.ts";
import type { Refresh } from "./refresh.ts";

/** Loads the messages of threads. */
export interface Conversations {
  /** Resolves when a thread's messages are there or have failed; at once when they are cached. */
  load(threadId: string): Promise<void>;
  /** Loads them although they are cached. The shown branch stays. Rejects when they cannot be loaded. */
  reload(threadId: string): Promise<readonly Message[]>;
  /** Loads them in the background, as `Refresh.messages`. */
  refresh(...asked: Parameters<Refresh["messages"]>): Promise<void>;
  /** Loads the open thread and the list in the background, as `Refresh.view`. */
  readonly refreshView: () => Promise<void>;
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
  const loadRefresh = loadChunk(() => import("./refresh.ts"));
  let refresh: Refresh | undefined;
  const refreshBy = async (begin: (code: Refresh) => Promise<unknown>) => {
    try {
      const { createRefresh } = await loadRefresh();
      refresh ??= createRefresh(context, (threadId) => notify(threadId));
      await begin(refresh);
    } catch {
      // Its code could not be loaded: what is shown stays, and the next refresh tries again.
    }
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
    refresh: (...asked) => refreshBy((code) => code.messages(...asked)),
    refreshView: () => refreshBy((code) => code.view()),
    load(threadId) {
      if (conversationOf(store.get(), threadId).load.status === "ready") return Promise.resolve();
      const load = loading.get(threadId) ?? loadFirst(threadId).finally(() => loading.delete(threadId));
      loading.set(threadId, load);
      return load;
    },
  };
}
