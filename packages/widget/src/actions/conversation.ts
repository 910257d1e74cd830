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
  /** Resolves when a thread's messages are there or have failed; at once when they are cached. */
  load(threadId: string): Promise<void>;
  /**
   * Loads them although they are cached. Rejects when they cannot be loaded.
   *
   * @returns `undefined` when the conversation has changed meanwhile: what has happened here is newer, and stays
   */
  reload(threadId: string): Promise<readonly Message[] | undefined>;
  /** Loads them in the background, as `Refresh.messages`. */
  refresh(...asked: Parameters<Refresh["messages"]>): Promise<void>;
  /** Loads the open thread and the list in the background, as `Refresh.view`. */
  readonly refreshView: (from?: Elsewhere) => Promise<void>;
  /**
   * Where something is being refreshed: resolves when that is over, or after a second. A question waits for it, to be asked
   * behind what another tab has asked.
   */
  refreshed(): Promise<unknown> | undefined;
  /** Sets the listener, which is called after each `load` and `refresh`: an answer among the messages may be running. */
  onLoaded(listener: (threadId: string) => void): void;
  /** Sets the listener, which is called with threads that the backend does not have any more. */
  onGone(listener: (threadIds: readonly string[]) => unknown): void;
}

export function createConversations(context: ActionContext): Conversations {
  const { store, transport, after } = context;
  const loading = new Map<string, Promise<void>>();
  let notify: (threadId: string) => void = () => undefined;
  let tellGone: (threadIds: readonly string[]) => unknown = () => undefined;
  let refreshing: Promise<unknown> | undefined;

  /** All messages come through here. `onTaken` is called in the same task: a run among them is never in view unfollowed. */
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
      // Another tab may have archived it, or the visitor may be someone else by now: the list says so.
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
    // Without its code what is shown stays, and the next refresh tries again.
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
