/** Loads again what other tabs may have changed. This code loads with the first refresh. */
import type { Thread } from "@nitka/protocol";
import { hasWork, isRunning, readyConversation } from "../store/selectors.ts";
import type { ChatState } from "../store/state.ts";
import { isFullPage, refreshThreads } from "../store/threads.ts";
import { ONE_RETURN_MS, REFRESH_PAUSE_MS, REFRESH_SHARED_MS } from "../timings.ts";
import type { ActionContext } from "./action-context.ts";
import type { Elsewhere } from "./actions.ts";

/** Which branch of a thread is shown after its messages are loaded: the backend's, or the one that is shown now. */
export type ShownBranch = "latest" | "shown";

export interface Refresh {
  /** Loads a thread's messages, unless a run is active there. Does nothing if they cannot be loaded. */
  readonly messages: (threadId: string, branch: ShownBranch) => Promise<void>;
  /** Loads the first page of the list. Threads that the backend no longer has leave the list. */
  readonly list: () => Promise<void>;
  /**
   * Loads the list and the messages of the open thread, if they are visible. Calls while a refresh is in progress share it.
   *
   * @param from given if the visitor could see the page meanwhile. If the last refresh is recent, this one is then postponed
   *   (`window`) or skipped (`frame`)
   */
  readonly view: (from?: Elsewhere) => Promise<unknown>;
}

interface RefreshOptions {
  readonly context: ActionContext;
  /** Loads a thread's messages and stores them, unless the conversation has changed meanwhile. */
  readonly take: (threadId: string, branch: ShownBranch) => Promise<unknown>;
  /** Called with threads that the backend does not have any more. */
  readonly onGone: (threadIds: readonly string[]) => unknown;
  /** Called when a postponed refresh is due. */
  readonly onDue: () => void;
}

export function createRefresh({ context, take, onGone, onDue }: RefreshOptions): Refresh {
  const { store, transport, now, after, isHidden } = context;
  let begun = Number.NEGATIVE_INFINITY;
  let going: Promise<unknown> | undefined;
  /** Cancels the postponed refresh. */
  let cancelDue: (() => void) | undefined;

  const messages: Refresh["messages"] = async (threadId, branch) => {
    if (isRunning(store.get(), threadId)) return;
    await take(threadId, branch).catch(() => undefined);
  };
  const list = async () => {
    const { items } = store.get().threads;
    const page = await transport.listThreads().catch(() => undefined);
    // Local changes made meanwhile are newer than the page.
    if (!page || store.get().threads.items !== items) return;
    const gone = goneThreads(store.get(), page);
    store.set((state) => refreshThreads(state, page));
    if (gone.length > 0) await onGone(gone);
  };
  return {
    messages,
    list,
    async view(from) {
      const state = store.get();
      const { activeId } = state.threads;
      if (!transport.joinRun || !state.panelOpen || isHidden() || activeId === undefined) return;
      // Messages that are still loading are new, and a run in progress updates itself.
      if (!readyConversation(state, activeId) || isRunning(state, activeId)) return;
      const passed = now() - begun;
      // The time is negative if the clock was set back.
      const isWithin = (ms: number) => passed >= 0 && passed < ms;
      if (from && isWithin(REFRESH_PAUSE_MS)) {
        if (from === "window" && passed >= ONE_RETURN_MS)
          cancelDue ??= after(REFRESH_PAUSE_MS - passed, () => {
            cancelDue = undefined;
            onDue();
          });
        await going;
        return;
      }
      // A refresh that hangs on a dead connection does not block later ones.
      if (!going || !isWithin(REFRESH_SHARED_MS)) {
        cancelDue?.();
        cancelDue = undefined;
        begun = now();
        const done = Promise.all([list(), messages(activeId, "shown")]).finally(() => {
          if (going === done) going = undefined;
        });
        going = done;
      }
      await going;
    },
  };
}

/**
 * The threads of the list that the backend no longer has: those that a page of its list would contain and does not. A thread
 * with unsent content stays.
 */
function goneThreads(state: ChatState, page: readonly Thread[]): readonly string[] {
  const there = new Set(page.map(({ threadId }) => threadId));
  const end = isFullPage(state, page) ? Date.parse(page.at(-1)?.updatedAt ?? "") : Number.NEGATIVE_INFINITY;
  const isGone = ({ threadId, updatedAt }: Thread) =>
    !there.has(threadId) && Date.parse(updatedAt) > end && !hasWork(state, threadId);
  return state.threads.items.filter(isGone).map(({ threadId }) => threadId);
}
