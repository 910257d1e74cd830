/** Loads again what other tabs may have changed. This code loads with the first refresh. */
import { setMessages } from "../store/conversation.ts";
import { conversationOf, isRunning, readyConversation } from "../store/selectors.ts";
import { refreshThreads } from "../store/threads.ts";
import type { ActionContext } from "./action-context.ts";
import { changeConversationIn } from "./action-context.ts";

export interface Refresh {
  /** A thread's messages. Does nothing when they cannot be loaded, or when the conversation has changed meanwhile. */
  readonly messages: (threadId: string, branch: "shown" | "latest") => Promise<void>;
  /** The list, and the messages of the open thread, where they are in view. Calls while that goes on share it. */
  readonly view: () => Promise<unknown>;
}

/** @param onMessages called with the thread whose messages have been loaded again */
export function createRefresh(context: ActionContext, onMessages: (threadId: string) => void): Refresh {
  const { store, transport } = context;
  let refreshing: Promise<unknown> | undefined;

  const messages: Refresh["messages"] = async (threadId, branch) => {
    const asked = conversationOf(store.get(), threadId);
    const loaded = await transport.listMessages(threadId).catch(() => undefined);
    const now = conversationOf(store.get(), threadId);
    if (!loaded || now.run || now.messages !== asked.messages) return;
    changeConversationIn(context, threadId, (conversation) =>
      setMessages(conversation, loaded, branch === "shown" ? conversation.headId : undefined),
    );
    onMessages(threadId);
  };
  const list = async () => {
    const { items } = store.get().threads;
    const page = await transport.listThreads().catch(() => undefined);
    // What has changed here meanwhile is newer than the page.
    if (page && store.get().threads.items === items) store.set((state) => refreshThreads(state, page));
  };
  return {
    messages,
    async view() {
      const state = store.get();
      const { activeId } = state.threads;
      if (!transport.joinRun || !state.panelOpen || activeId === undefined) return;
      // What is only just being loaded is new, and a run in progress shows itself.
      if (!readyConversation(state, activeId) || isRunning(state, activeId)) return;
      refreshing ??= Promise.all([list(), messages(activeId, "shown")]).finally(() => {
        refreshing = undefined;
      });
      await refreshing;
    },
  };
}
