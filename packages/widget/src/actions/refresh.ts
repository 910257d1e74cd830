/** Loads again what other tabs may have changed. This code loads with the first refresh. */
import type { Thread } from "@nitka/protocol";
import { conversationOf, isRunning, readyConversation } from "../store/selectors.ts";
import type { ChatState } from "../store/state.ts";
import { isFullPage, refreshThreads } from "../store/threads.ts";
import { REFRESH_SHARED_MS } from "../timings.ts";
import type { ActionContext } from "./action-context.ts";

/** Which branch of a thread is shown once its messages are loaded: that of the backend, or the one that is shown now. */
export type ShownBranch = "latest" | "shown";

export interface Refresh {
  /** A thread's messages, unless a run goes on there. Does nothing when they cannot be loaded. */
  readonly messages: (threadId: string, branch: ShownBranch) => Promise<void>;
  /** The first page of the list. Threads that are gone leave the list. */
  readonly list: () => Promise<void>;
  /** The list, and the messages of the open thread, where they are in view. Calls while that goes on share it. */
  readonly view: () => Promise<unknown>;
}

interface RefreshOptions {
  readonly context: ActionContext;
  /** Loads a thread's messages, and takes them over unless the conversation has changed meanwhile. */
  readonly take: (threadId: string, branch: ShownBranch) => Promise<unknown>;
  /** The backend does not have these threads any more. */
  readonly onGone: (threadIds: readonly string[]) => unknown;
}

export function createRefresh({ context, take, onGone }: RefreshOptions): Refresh {
  const { store, transport, now } = context;
  let last: { readonly begun: number; readonly done: Promise<unknown> } | undefined;

  const messages: Refresh["messages"] = async (threadId, branch) => {
    if (isRunning(store.get(), threadId)) return;
    await take(threadId, branch).catch(() => undefined);
  };
  const list = async () => {
    const { items } = store.get().threads;
    const page = await transport.listThreads().catch(() => undefined);
    // What has changed here meanwhile is newer than the page.
    if (!page || store.get().threads.items !== items) return;
    const gone = goneThreads(store.get(), page);
    store.set((state) => refreshThreads(state, page));
    if (gone.length > 0) await onGone(gone);
  };
  return {
    messages,
    list,
    async view() {
      const state = store.get();
      const { activeId } = state.threads;
      if (!transport.joinRun || !state.panelOpen || activeId === undefined) return;
      // What is only just being loaded is new, and a run in progress shows itself.
      if (!readyConversation(state, activeId) || isRunning(state, activeId)) return;
      // One that hangs, on a connection that is gone, holds up no other.
      if (!last || now() - last.begun >= REFRESH_SHARED_MS) {
        const done = Promise.all([list(), messages(activeId, "shown")]).finally(() => {
          if (last?.done === done) last = undefined;
        });
        last = { begun: now(), done };
      }
      await last.done;
    },
  };
}

/**
 * The threads of the list that the backend does not have any more: those that a page of its list would hold and does not.
 * What holds something that is not sent yet stays.
 */
function goneThreads(state: ChatState, page: readonly Thread[]): readonly string[] {
  const there = new Set(page.map(({ threadId }) => threadId));
  const end = isFullPage(state, page) ? Date.parse(page.at(-1)?.updatedAt ?? "") : Number.NEGATIVE_INFINITY;
  const isGone = ({ threadId, updatedAt }: Thread) => {
    const { run, outbox, edit } = conversationOf(state, threadId);
    const hasWork = run ?? edit ?? state.drafts[threadId];
    return !there.has(threadId) && Date.parse(updatedAt) > end && !hasWork && outbox.length === 0;
  };
  return state.threads.items.filter(isGone).map(({ threadId }) => threadId);
}
