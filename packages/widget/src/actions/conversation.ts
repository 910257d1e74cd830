import type { Message } from "@nitka/protocol";
import { loadChunk } from "../load-chunk.ts";
import { startLoadingMessages, failLoadingMessages, setMessages } from "../store/conversation.ts";
import { conversationOf } from "../store/selectors.ts";
import { REFRESH_WAIT_MS } from "../timings.ts";
import { HttpError } from "../transport/http-error.ts";
import type { ActionContext } from "./action-context.ts";
import { changeConversationIn, failureOf } from "./action-context.ts";
import type { Elsewhere } from "./actions.ts";
import type { Refresh, ShownBranch } from "./refresh.ts";

/** Loads the messages of threads. */
export interface Conversations {
  /** Resolves when a thread's messages are loaded or have failed; at once if they are cached. */
  load(threadId: string): Promise<void>;
  /**
   * Loads the messages even if they are cached. Rejects if they cannot be loaded.
   *
   * @returns `undefined` if the conversation has changed meanwhile: the local state is newer, and stays
   */
  reload(threadId: string): Promise<readonly Message[] | undefined>;
  /** Loads the messages in the background, like `Refresh.messages`. */
  refresh(...asked: Parameters<Refresh["messages"]>): Promise<void>;
  /** Loads the open thread and the list in the background, like `Refresh.view`. */
  readonly refreshView: (from?: Elsewhere) => Promise<void>;
  /**
   * If a refresh is in progress: resolves when it ends, or after a second. A question waits for it, so that it follows a
   * question from another tab.
   */
  refreshed(): Promise<unknown> | undefined;
  /** Sets the listener that is called after each `load` and `refresh`, because one of the answers may be running. */
  onLoaded(listener: (threadId: string) => void): void;
  /** Sets the listener that is called with threads that the backend does not have any more. */
  onGone(listener: (threadIds: readonly string[]) => unknown): void;
}

export function createConversations(context: ActionContext): Conversations {
  const { store, transport, after } = context;
  const loading = new Map<string, Promise<void>>();
  let notify: (threadId: string) => void = () => undefined;
  let tellGone: (threadIds: readonly string[]) => unknown = () => undefined;
  let refreshing: Promise<unknown> | undefined;

  /**
   * Loads messages; there is no other way. `onTaken` is called in the same task, so that a run among the messages is never
   * visible without being followed.
   */
  const take = async (threadId: string, branch: ShownBranch, onTaken?: (threadId: string) => void) => {
    const asked = conversationOf(store.get(), threadId);
    const messages = await transport.listMessages(threadId);
    const now = conversationOf(store.get(), threadId);
    if (now.messages !== asked.messages || now.run?.questionId !== asked.run?.questionId) return undefined;
    changeConversationIn(context, threadId, (conversation) =>
      setMessages(conversation, messages, branch === "shown" ? conversation.headId : undefined),
    );
    onTaken?.(threadId);
    return messages;
  };

  const loadFirst = async (threadId: string) => {
    changeConversationIn(context, threadId, startLoadingMessages);
    try {
      await take(threadId, "latest", notify);
    } catch (error) {
      const failure = failureOf(context, error);
      changeConversationIn(context, threadId, (conversation) => failLoadingMessages(conversation, failure));
      // Another tab may have archived the thread, or the visitor may have changed. The list tells.
      if (error instanceof HttpError && error.status === 404) await refreshBy((loaded) => loaded.list());
    }
  };
  const loadRefresh = loadChunk(() => import("./refresh.ts"));
  let code: Refresh | undefined;
  const refreshBy = (begin: (loaded: Refresh) => Promise<unknown>): Promise<void> => {
    const load = async () => {
      const { createRefresh } = await loadRefresh();
      code ??= createRefresh({
        context,
        take: (threadId, branch) => take(threadId, branch, notify),
        onGone: (threadIds) => tellGone(threadIds),
        onDue: () => void refreshView(),
      });
      await begin(code);
    };
    // If the code cannot be loaded, the view does not change, and the next refresh tries again.
    const begun: Promise<void> = load()
      .catch(() => undefined)
      .finally(() => {
        if (refreshing === begun) refreshing = undefined;
      });
    refreshing = begun;
    return begun;
  };
  const refreshView = (from?: Elsewhere) => refreshBy((loaded) => loaded.view(from));
  return {
    onLoaded(listener) {
      notify = listener;
    },
    onGone(listener) {
      tellGone = listener;
    },
    reload: (threadId) => take(threadId, "shown"),
    refresh: (...asked) => refreshBy((loaded) => loaded.messages(...asked)),
    refreshView,
    refreshed() {
      if (!refreshing) return undefined;
      const late = Promise.withResolvers<void>();
      const clear = after(REFRESH_WAIT_MS, late.resolve);
      return Promise.race([refreshing, late.promise]).finally(clear);
    },
    load(threadId) {
      if (conversationOf(store.get(), threadId).load.status === "ready") return Promise.resolve();
      const load = loading.get(threadId) ?? loadFirst(threadId).finally(() => loading.delete(threadId));
      loading.set(threadId, load);
      return load;
    },
  };
}
