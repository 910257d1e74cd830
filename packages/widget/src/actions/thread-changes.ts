/** Changes of the list of threads after its first load. This code loads when it is first needed. */
import { HttpError, isTemporary } from "../transport/http-error.ts";
import * as removed from "../store/removed-threads.ts";
import * as threads from "../store/threads.ts";
import type { ActionContext } from "./action-context.ts";
import { failureOf, hasThread } from "./action-context.ts";
import type { Conversations } from "./conversation.ts";
import type { TitleTyping } from "./title-typing.ts";

export interface ThreadChanges {
  /** Rejects if the thread cannot be renamed. */
  rename(threadId: string, title: string): Promise<void>;
  /** Rejects if the thread cannot be archived. */
  archive(threadId: string): Promise<void>;
  /**
   * Restores a thread that was archived here. It opens if no other thread was opened since. Rejects if it cannot be restored.
   */
  restore(threadId: string): Promise<void>;
  /** Ends the offer to restore a thread. */
  endOffer(threadId: string): void;
  /** Removes a thread that the backend does not have from the list. If it was open, the next one opens. */
  remove(threadId: string): Promise<void>;
  loadOlder(): Promise<void>;
  /** Whether the list contains a thread. Older pages are loaded until it is found. */
  find(threadId: string): Promise<boolean>;
}

interface ThreadChangesOptions {
  readonly context: ActionContext;
  readonly conversations: Conversations;
  readonly titles: TitleTyping;
  /** Called when a thread is removed, to end its run and its uploads. */
  readonly onRemoved: (threadId: string) => void;
  /** Called when no thread is open any more. */
  readonly onLastRemoved: () => unknown;
  readonly open: (threadId: string) => Promise<void>;
}

export function createThreadChanges(options: ThreadChangesOptions): ThreadChanges {
  const { context, conversations, titles, onRemoved, onLastRemoved, open } = options;
  const { store, transport } = context;
  const archiving = new Set<string>();
  const restoring = new Set<string>();
  let renames = 0;
  /** By thread id: the number of the request that gave the thread its title. */
  const renamed = new Map<string, number>();
  let loadingOlder: Promise<void> | undefined;

  const remove = async (threadId: string, isForNow = false) => {
    renamed.delete(threadId);
    onRemoved(threadId);
    titles.finish(threadId);
    const take = isForNow ? removed.removeForNow : threads.removeThread;
    store.set((state) => removed.dropHit(take(state, threadId), threadId));
    const { activeId } = store.get().threads;
    if (activeId !== undefined) return conversations.load(activeId);
    await onLastRemoved();
    if (isForNow) store.set((state) => removed.setSuccessor(state, threadId));
    return undefined;
  };
  /** Whether a later request has given the thread its title. */
  const isOutdated = (threadId: string, number: number) => (renamed.get(threadId) ?? 0) > number;
  const loadOlderPage = async () => {
    const { items, older } = store.get().threads;
    const last = items.at(-1);
    if (older.status === "none" || !last) return;
    store.set(threads.startLoadingOlderThreads);
    try {
      const page = await transport.listThreads({ before: last.threadId, at: last.updatedAt });
      store.set((state) => threads.addOlderThreads(state, page));
    } catch (error) {
      const failure = failureOf(context, error);
      store.set((state) => threads.failLoadingOlderThreads(state, failure));
    }
  };
  const loadOlder = () => {
    loadingOlder ??= loadOlderPage().finally(() => {
      loadingOlder = undefined;
    });
    return loadingOlder;
  };

  return {
    loadOlder,
    async find(threadId) {
      const isThere = () => hasThread(store.get(), threadId);
      const mayBeOlder = () => !isThere() && store.get().threads.older.status !== "none";
      if (!mayBeOlder()) return isThere();
      const exists = await transport.listMessages(threadId).then(
        () => true,
        // A temporary failure says nothing about the thread.
        (error: unknown) => !(error instanceof HttpError) || isTemporary(error),
      );
      if (!exists) return false;
      while (mayBeOlder()) {
        await loadOlder();
        if (store.get().threads.older.status === "failed") break;
      }
      return isThere();
    },
    remove: (threadId) => remove(threadId),
    endOffer: (threadId) => store.set((state) => removed.endOffer(state, threadId)),
    async restore(threadId) {
      const { restoreThread } = transport;
      if (!restoreThread || restoring.has(threadId)) return;
      restoring.add(threadId);
      try {
        const thread = await restoreThread(threadId);
        const offered = removed.removedThread(store.get(), threadId);
        if (!offered) return;
        const { activeId } = store.get().threads;
        store.set((state) => removed.bringBack(state, { ...offered, thread }));
        // After the last thread of a launcher is removed, no thread is open.
        if (offered.successor === activeId) await open(threadId);
      } finally {
        restoring.delete(threadId);
      }
    },
    async rename(threadId, title) {
      renames += 1;
      const number = renames;
      try {
        await transport.renameThread(threadId, title);
      } catch (error) {
        if (isOutdated(threadId, number)) return;
        throw error;
      }
      if (isOutdated(threadId, number)) return;
      renamed.set(threadId, number);
      titles.finish(threadId);
      store.set((state) => threads.failThread(threads.renameThread(state, threadId, title), threadId, undefined));
    },
    async archive(threadId) {
      if (archiving.has(threadId)) return;
      archiving.add(threadId);
      let isOurs = true;
      try {
        await transport.archiveThread(threadId);
      } catch (error) {
        // A thread that the server does not have counts as archived.
        if (!(error instanceof HttpError && error.status === 404)) throw error;
        isOurs = false;
      } finally {
        archiving.delete(threadId);
      }
      await remove(threadId, isOurs && transport.restoreThread !== undefined);
    },
  };
}
