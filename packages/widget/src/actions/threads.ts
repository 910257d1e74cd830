/** The list of threads, and which one is open. */
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
import type { ThreadList } from "./thread-list.ts";
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
  /** Resolves when the list has been loaded and its first thread chosen, if there is one to choose. */
  chosen(): Promise<unknown>;
  /** Makes a thread and opens it. Calls while one is being made share it. Rejects when it cannot be made. */
  create(): Promise<string>;
  /** Whether a thread is in the list. Loads older pages until it is found. */
  find(threadId: string): Promise<boolean>;
  /** Opens a thread of the list. Resolves when its messages are loaded or have failed. */
  open(threadId: string): Promise<void>;
}

interface ThreadsOptions {
  readonly context: ActionContext;
  readonly conversations: Conversations;
  readonly list: ThreadList;
  readonly titles: TitleTyping;
  /** A thread is removed: its run and its uploads are to end. */
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
  /** Changes a thread. Its row shows why that failed. */
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
    // The open one last: what opens in its place is not gone, too.
    for (const threadId of threadIds.toSorted((a) => (a === store.get().threads.activeId ? 1 : -1)))
      await code.remove(threadId);
  });

  const open = async (threadId: string) => {
    const isCached = readyConversation(store.get(), threadId) !== undefined;
    store.set((state) => closeSheet(threads.activateThread(state, threadId)));
    if (!isCached) return conversations.load(threadId);
    // The cached messages are shown at once, and refreshed where another tab may have begun a run.
    if (transport.joinRun) await conversations.refresh(threadId, "shown");
    return undefined;
  };

  /** @param waits for other widgets of this browser that load their lists, and may make their first threads */
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
   * The thread to open first: the one that the address names, else the newest, else a new one. None if one is open.
   *
   * @param isAlone no other widget has made a thread since the list was requested
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
        // A thread that has just been made has no messages to wait for.
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

/** For a rejection whose failure is in the state already. */
const nothing = () => undefined;
