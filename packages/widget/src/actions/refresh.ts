/** Loads again what other tabs may have changed. This code loads with the first refresh. */
import type { Thread } from "@nitka/protocol";
import { hasWork, isRunning, readyConversation } from "../store/selectors.ts";
import type { ChatState } from "../store/state.ts";
import { isFullPage, refreshThreads } from "../store/threads.ts";
import { ONE_RETURN_MS, REFRESH_PAUSE_MS, REFRESH_SHARED_MS } from "../timings.ts";
import type { ActionContext } from "./action-context.ts";
import type { Elsewhere } from "./actions.ts";

/** Which branch of a thread is shown once its messages are loaded: that of the backend, or the one that is shown now. */
export type ShownBranch = "latest" | "shown";

export interface Refresh {
  /** A thread's messages, unless a run goes on there. Does nothing when they cannot be loaded. */
  readonly messages: (threadId: string, branch: ShownBranch) => Promise<void>;
  /** The first page of the list. Threads that are gone leave the list. */
  readonly list: () => Promise<void>;
  /**
   * The list, and the messages of the open thread, where they are in view. Calls while that goes on share it.
   *
   * @param from given where the visitor could see the page meanwhile: soon after the last refresh this one waits (`window`),
   *   or is left out (`frame`)
   */
  readonly view: (from?: Elsewhere) => Promise<unknown>;
}

interface RefreshOptions {
  readonly context: ActionContext;
  /** Loads a thread's messages, and takes them over unless the conversation has changed meanwhile. */
  readonly take: (threadId: string, branch: ShownBranch) => Promise<unknown>;
  /** The backend does not have these threads any more. */
  readonly onGone: (threadIds: readonly string[]) => unknown;
  /** The time has come of a refresh that had to wait. */
  readonly onDue: () => void;
}

export function createRefresh({ context, take, onGone, onDue }: RefreshOptions): Refresh {
  const { store, transport, now, after, isHidden } = context;
  let begun = Number.NEGATIVE_INFINITY;
  let going: Promise<unknown> | undefined;
  /** Takes back the refresh that waits. */
  let cancelDue: (() => void) | undefined;

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
    async view(from) {
      const state = store.get();
      const { activeId } = state.threads;
      if (!transport.joinRun || !state.panelOpen || isHidden() || activeId === undefined) return;
      // What is only just being loaded is new, and a run in progress shows itself.
      if (!readyConversation(state, activeId) || isRunning(state, activeId)) return;
      const passed = now() - begun;
      // A negative time is that of a clock that was set back.
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
      // One that hangs, on a connection that is gone, holds up no other.
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
 * The threads of the list that the backend does not have any more: those that a page of its list would hold and does not.
 * What holds something that is not sent yet stays.
 */
function goneThreads(state: ChatState, page: readonly Thread[]): readonly string[] {
  const there = new Set(page.map(({ threadId }) => threadId));
  const end = isFullPage(state, page) ? Date.parse(page.at(-1)?.updatedAt ?? "") : Number.NEGATIVE_INFINITY;
  const isGone = ({ threadId, updatedAt }: Thread) =>
    !there.has(threadId) && Date.parse(updatedAt) > end && !hasWork(state, threadId);
  return state.threads.items.filter(isGone).map(({ threadId }) => threadId);
}
