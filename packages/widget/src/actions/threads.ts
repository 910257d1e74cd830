/** The list of threads, and the open thread. */
import { loadChunk } from "../load-chunk.ts";
import { changeConversation, setMessages } from "../store/conversation.ts";
import { readyConversation } from "../store/selectors.ts";
import { closeSheet } from "../store/shell.ts";
import * as threads from "../store/threads.ts";
import type { ActionContext } from "./action-context.ts";
import { failureOf, hasThread, until } from "./action-context.ts";
import type { Actions } from "./actions.ts";
import type { Conversations } from "./conversation.ts";
import type { ThreadChanges } from "./thread-changes.ts";
import type { ThreadOrder } from "./thread-order.ts";
import type { TitleTyping } from "./title-typing.ts";

export interface Threads extends Pick<
  Actions,
  | "start"
  | "reloadThreads"
  | "loadOlderThreads"
  | "newThread"
  | "ensureThread"
  | "selectThread"
  | "renameThread"
  | "archiveThread"
  | "restoreThread"
  | "endRestoreOffer"
> {
  /** Resolves when the list has loaded and the first thread is chosen, if there is one. */
  chosen(): Promise<unknown>;
  /** Creates a thread and opens it. Calls while a thread is being created share it. Rejects if it cannot be created. */
  create(): Promise<string>;
  /** Whether the list contains a thread. Older pages are loaded until it is found. */
  find(threadId: string): Promise<boolean>;
  /** Opens a thread of the list. Resolves when its messages are loaded or have failed. */
  open(threadId: string): Promise<void>;
}

interface ThreadsOptions {
  readonly context: ActionContext;
  readonly conversations: Conversations;
  readonly list: ThreadOrder;
  readonly titles: TitleTyping;
  /** Called when a thread is removed, to end its run and its uploads. */
  readonly onRemoved: (threadId: string) => void;
}

export function createThreads(options: ThreadsOptions): Threads {
  const { context, conversations, list, titles, onRemoved } = options;
  const { store, transport } = context;
  const loadChanges = loadChunk(() => import("./thread-changes.ts"));
  let loaded: ThreadChanges | undefined;
  let creating: Promise<string> | undefined;
  let choosing: Promise<string | undefined> = Promise.resolve(undefined);

  const changes = async (): Promise<ThreadChanges> => {
    const { createThreadChanges } = await loadChanges();
    return (loaded ??= createThreadChanges({
      context,
      conversations,
      titles,
      onRemoved,
      open,
      onLastRemoved: () => (store.get().threads.older.status === "none" ? makeFirst() : load()),
    }));
  };
  /** Changes a thread. Its row shows a failure. */
  const change = async (threadId: string, act: (code: ThreadChanges) => Promise<void>) => {
    store.set((state) => threads.failThread(state, threadId, undefined));
    try {
      await act(await changes());
    } catch (error) {
      const failure = failureOf(context, error);
      store.set((state) => threads.failThread(state, threadId, failure));
    }
  };

  conversations.onGone(async (threadIds) => {
    const code = await changes();
    // The open thread is last, so that the thread that opens in its place is not one of these.
    for (const threadId of threadIds.toSorted((a) => (a === store.get().threads.activeId ? 1 : -1)))
      await code.remove(threadId);
  });

  const open = async (threadId: string) => {
    const isCached = readyConversation(store.get(), threadId) !== undefined;
    store.set((state) => closeSheet(threads.activateThread(state, threadId)));
    if (!isCached) return conversations.load(threadId);
    // Cached messages are shown at once, and refreshed if another tab may have begun a run.
    if (transport.joinRun) await conversations.refresh(threadId, "shown");
    return undefined;
  };

  /**
   * @param waits whether to wait for other widgets of this browser, which may be loading their lists and creating their first
   * threads
   */
  const load = async (waits?: boolean): Promise<void> => {
    store.set(threads.startLoadingThreads);
    let threadId: string | undefined;
    await context.inTurn(waits, async (isAlone) => {
      try {
        const page = await transport.listThreads();
        store.set((state) => threads.setThreads(state, page));
      } catch (error) {
        const failure = failureOf(context, error);
        return store.set((state) => threads.failLoadingThreads(state, failure));
      }
      choosing = choose(isAlone);
      threadId = await choosing;
    });
    if (threadId !== undefined) await open(threadId);
  };

  /**
   * The id of the thread to open first: the one in the address, otherwise the newest, otherwise a new one. None if a thread is
   * open already.
   *
   * @param isAlone no other widget has created a thread since the list was requested
   */
  const choose = async (isAlone: boolean): Promise<string | undefined> => {
    if (store.get().threads.activeId !== undefined) return undefined;
    const addressed = context.addressedThread();
    const isThere = addressed !== undefined && (await find(addressed));
    const { activeId, items } = store.get().threads;
    if (activeId !== undefined) return undefined;
    const threadId = isThere ? addressed : items[0]?.threadId;
    if (threadId !== undefined) store.set((state) => threads.activateThread(state, threadId));
    else await (isAlone ? makeFirst() : load(true));
    return threadId;
  };

  const find = async (threadId: string): Promise<boolean> => {
    const isThere = hasThread(store.get(), threadId);
    if (isThere || store.get().threads.older.status === "none") return isThere;
    const code = await changes().catch((error: unknown) => void failureOf(context, error));
    return code?.find(threadId) ?? false;
  };

  const make = async (): Promise<string> => {
    store.set(threads.startCreatingThread);
    try {
      const thread = await transport.createThread();
      store.set((state) =>
        // A thread that was just created has no messages to load.
        changeConversation(closeSheet(threads.addThread(state, thread)), thread.threadId, (conversation) =>
          setMessages(conversation, []),
        ),
      );
      list.highlight(thread.threadId);
      return thread.threadId;
    } catch (error) {
      const failure = failureOf(context, error);
      store.set((state) => threads.failCreatingThread(state, failure));
      throw error;
    }
  };
  const create = () => {
    creating ??= make().finally(() => {
      creating = undefined;
    });
    return creating;
  };
  const makeFirst = () => (context.hasLauncher ? undefined : create().then(nothing, nothing));

  return {
    chosen: () => choosing,
    create,
    find,
    open,
    start: () => load(),
    reloadThreads: () => load(),
    async loadOlderThreads() {
      try {
        await (await changes()).loadOlder();
      } catch (error) {
        const failure = failureOf(context, error);
        store.set((state) => threads.failLoadingOlderThreads(state, failure));
      }
    },
    async ensureThread() {
      await until(context, (state) => state.threads.load.status !== "loading");
      await choosing;
      const { activeId, load: list } = store.get().threads;
      return activeId ?? (list.status === "ready" ? create().catch(nothing) : undefined);
    },
    newThread: () => create().then(nothing, nothing),
    async selectThread(threadId) {
      await until(context, (state) => state.threads.load.status !== "loading");
      if (await find(threadId)) await open(threadId);
    },
    async renameThread(threadId, title) {
      const newTitle = title.trim();
      const before = store.get().threads.items.find((item) => item.threadId === threadId)?.title;
      if (!hasThread(store.get(), threadId) || newTitle === "" || newTitle === before) return;
      await change(threadId, (code) => code.rename(threadId, newTitle));
    },
    async archiveThread(threadId) {
      if (hasThread(store.get(), threadId)) await change(threadId, (code) => code.archive(threadId));
    },
    restoreThread: (threadId) => change(threadId, (code) => code.restore(threadId)),
    endRestoreOffer: async (threadId) => (await changes()).endOffer(threadId),
  };
}

/** Handles a rejection whose failure is already in the state. */
const nothing = () => undefined;
