/** Changes of the list of threads. */
import type { Thread } from "@nitka/protocol";
import { moveDraft } from "./composer.ts";
import type { ChatState, Failure, ThreadsState } from "./state.ts";
import { without } from "./without.ts";

/** The length of a full page on our server. A shorter page is the last one. */
const PAGE_SIZE = 200;

/** Whether a page may be followed by older threads. A plain backend, without features, sends the whole list at once. */
export function isFullPage({ config }: ChatState, page: readonly Thread[]): boolean {
  return page.length >= PAGE_SIZE && Object.values(config.features ?? {}).some(Boolean);
}

/** Sets the list to the server's. Threads created meanwhile stay. */
export function setThreads(state: ChatState, page: readonly Thread[]): ChatState {
  return change(state, {
    load: { status: "ready" },
    items: merged(state.threads.items, page),
    older: { status: isFullPage(state, page) ? "available" : "none" },
  });
}

/** Merges the first page of the list again, with the changes of other tabs. Threads that are not in it stay. */
export function refreshThreads(state: ChatState, page: readonly Thread[]): ChatState {
  const items = merged(state.threads.items, page);
  return items === state.threads.items ? state : change(state, { items });
}

export function startLoadingThreads(state: ChatState): ChatState {
  return change(state, { load: { status: "loading" } });
}

export function failLoadingThreads(state: ChatState, failure: Failure): ChatState {
  return change(state, { load: { status: "failed", failure } });
}

export function startLoadingOlderThreads(state: ChatState): ChatState {
  return change(state, { older: { status: "loading" } });
}

/** Adds a page of older threads. A page without a new thread is the last one. */
export function addOlderThreads(state: ChatState, page: readonly Thread[]): ChatState {
  const ids = new Set(state.threads.items.map((thread) => thread.threadId));
  const isNew = page.some((thread) => !ids.has(thread.threadId));
  const items = merged(state.threads.items, page);
  return change(state, { items, older: { status: isFullPage(state, page) && isNew ? "available" : "none" } });
}

export function failLoadingOlderThreads(state: ChatState, failure: Failure): ChatState {
  return change(state, { older: { status: "failed", failure } });
}

/** Marks a thread as being created, and removes the failure of the last attempt. */
export function startCreatingThread(state: ChatState): ChatState {
  const { createFailure: _, ...threads } = state.threads;
  return { ...state, threads };
}

/** Stores why no thread could be created. */
export function failCreatingThread(state: ChatState, createFailure: Failure): ChatState {
  return change(state, { createFailure });
}

/** Adds a new thread at the top and opens it. */
export function addThread(state: ChatState, thread: Thread): ChatState {
  const others = state.threads.items.filter((item) => item.threadId !== thread.threadId);
  return activateThread(change(state, { items: onTopOf(others, thread) }), thread.threadId);
}

/** Opens a thread. The draft without a thread moves to it. */
export function activateThread(state: ChatState, threadId: string): ChatState {
  return state.threads.activeId === threadId ? state : moveDraft(change(state, { activeId: threadId }), threadId);
}

/** Moves a thread to the top. */
export function bumpThread(state: ChatState, threadId: string, now: number): ChatState {
  const { items } = state.threads;
  const thread = items.find((item) => item.threadId === threadId);
  if (!thread) return state;
  const others = items.filter((item) => item !== thread);
  return change(state, { items: onTopOf(others, { ...thread, updatedAt: new Date(now).toISOString() }) });
}

export function highlightThread(state: ChatState, threadId: string): ChatState {
  return change(state, { highlightedId: threadId });
}

export function endHighlight(state: ChatState): ChatState {
  const { highlightedId: _, ...threads } = state.threads;
  return { ...state, threads };
}

/** Sets a thread's whole title. `typeTitle` sets how much of it is shown. */
export function renameThread(state: ChatState, threadId: string, title: string): ChatState {
  const items = state.threads.items.map((thread) => (thread.threadId === threadId ? { ...thread, title } : thread));
  return change(state, { items });
}

/** Sets the typed part of a title; `undefined` shows the whole title. */
export function typeTitle(state: ChatState, threadId: string, typed: string | undefined): ChatState {
  const { typedTitles } = state.threads;
  if (typedTitles[threadId] === typed) return state;
  const others = without(typedTitles, threadId);
  return change(state, { typedTitles: typed === undefined ? others : { ...others, [threadId]: typed } });
}

/** Removes a thread with its messages and its draft. If it was open, the thread below opens, otherwise the one above. */
export function removeThread(state: ChatState, threadId: string): ChatState {
  const { items, activeId, ...threads } = state.threads;
  const index = items.findIndex((thread) => thread.threadId === threadId);
  const left = items.filter((thread) => thread.threadId !== threadId);
  const next = activeId === threadId ? (left[index] ?? left[index - 1])?.threadId : activeId;
  return {
    ...state,
    conversations: without(state.conversations, threadId),
    drafts: without(state.drafts, threadId),
    threads: {
      ...threads,
      items: left,
      ...(next !== undefined && { activeId: next }),
      typedTitles: without(threads.typedTitles, threadId),
      failures: without(threads.failures, threadId),
    },
  };
}

/** Sets why a thread could not be renamed or archived; `undefined` removes the failure. */
export function failThread(state: ChatState, threadId: string, failure: Failure | undefined): ChatState {
  const { failures } = state.threads;
  if (failures[threadId] === failure) return state;
  const others = without(failures, threadId);
  return change(state, { failures: failure === undefined ? others : { ...others, [threadId]: failure } });
}

function change(state: ChatState, threads: Partial<ThreadsState>): ChatState {
  return { ...state, threads: { ...state.threads, ...threads } };
}

/**
 * Merges both lists. If a thread is in both, the second list's entry wins, unless both are equal: then the first object stays,
 * and its row does not render again.
 */
function merged(before: readonly Thread[], after: readonly Thread[]): readonly Thread[] {
  const all = new Map(before.map((thread) => [thread.threadId, thread]));
  for (const thread of after) {
    const old = all.get(thread.threadId);
    if (old?.title !== thread.title || old?.updatedAt !== thread.updatedAt) all.set(thread.threadId, thread);
  }
  const items = newestFirst([...all.values()]);
  return items.every((thread, index) => thread === before[index]) ? before : items;
}

/** Newest first. The transport normalizes all dates to one format whose alphabetical order is chronological. */
export function newestFirst(items: readonly Thread[]): readonly Thread[] {
  return items.toSorted(({ updatedAt: a }, { updatedAt: b }) => (a < b ? 1 : a > b ? -1 : 0));
}

/** Puts a thread above all others, with a date later than theirs, because the visitor's clock may be behind the server's. */
function onTopOf(others: readonly Thread[], thread: Thread): readonly Thread[] {
  const latest = others[0]?.updatedAt ?? "";
  const onTop =
    thread.updatedAt > latest ? thread : { ...thread, updatedAt: new Date(Date.parse(latest) + 1).toISOString() };
  return [onTop, ...others];
}
