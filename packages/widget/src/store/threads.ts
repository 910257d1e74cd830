/** What happens to the list of threads. */
import type { Thread } from "@nitka/protocol";
import { moveDraft } from "./composer.ts";
import type { ChatState, Failure, ThreadsState } from "./state.ts";
import { without } from "./without.ts";

/** The length of a full page on our server. A shorter page is the last one. */
const PAGE_SIZE = 200;

/** Whether older threads may follow a page. A plain backend, without features, sends the whole list at once. */
export function isFullPage({ config }: ChatState, page: readonly Thread[]): boolean {
  return page.length >= PAGE_SIZE && Object.values(config.features ?? {}).some(Boolean);
}

/** The list as the server has it. Threads that were made meanwhile stay. */
export function setThreads(state: ChatState, page: readonly Thread[]): ChatState {
  return change(state, {
    load: { status: "ready" },
    items: merged(state.threads.items, page),
    older: { status: isFullPage(state, page) ? "available" : "none" },
  });
}

/** The first page of the list once more, with what other tabs have changed. Threads that are not in it stay. */
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

/** A page of older threads. A page without a new thread is the last one. */
export function addOlderThreads(state: ChatState, page: readonly Thread[]): ChatState {
  const ids = new Set(state.threads.items.map((thread) => thread.threadId));
  const isNew = page.some((thread) => !ids.has(thread.threadId));
  const items = merged(state.threads.items, page);
  return change(state, { items, older: { status: isFullPage(state, page) && isNew ? "available" : "none" } });
}

export function failLoadingOlderThreads(state: ChatState, failure: Failure): ChatState {
  return change(state, { older: { status: "failed", failure } });
}

/** A thread is being made: the last failure to make one is over. */
export function startCreatingThread(state: ChatState): ChatState {
  const { createFailure: _, ...threads } = state.threads;
  return { ...state, threads };
}

/** No thread could be made. */
export function failCreatingThread(state: ChatState, createFailure: Failure): ChatState {
  return change(state, { createFailure });
}

/** A new thread: at the top, and active. */
export function addThread(state: ChatState, thread: Thread): ChatState {
  const others = state.threads.items.filter((item) => item.threadId !== thread.threadId);
  return activateThread(change(state, { items: onTopOf(others, thread) }), thread.threadId);
}

/** Opens a thread. What was written without one goes there. */
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

/** How much of a title has been typed; `undefined` when it is shown whole. */
export function typeTitle(state: ChatState, threadId: string, typed: string | undefined): ChatState {
  const { typedTitles } = state.threads;
  if (typedTitles[threadId] === typed) return state;
  const others = without(typedTitles, threadId);
  return change(state, { typedTitles: typed === undefined ? others : { ...others, [threadId]: typed } });
}

/** Removes a thread with its messages and its draft. If it was active, the one below becomes so, else the one above. */
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

/** Why a thread could not be renamed or archived; `undefined` once that is over. */
export function failThread(state: ChatState, threadId: string, failure: Failure | undefined): ChatState {
  const { failures } = state.threads;
  if (failures[threadId] === failure) return state;
  const others = without(failures, threadId);
  return change(state, { failures: failure === undefined ? others : { ...others, [threadId]: failure } });
}

function change(state: ChatState, threads: Partial<ThreadsState>): ChatState {
  return { ...state, threads: { ...state.threads, ...threads } };
}

/** Both lists as one. Of a thread in both, the second list's entry counts, unless it is equal: its row stays as it is. */
function merged(before: readonly Thread[], after: readonly Thread[]): readonly Thread[] {
  const all = new Map(before.map((thread) => [thread.threadId, thread]));
  for (const thread of after) {
    const old = all.get(thread.threadId);
    if (old?.title !== thread.title || old?.updatedAt !== thread.updatedAt) all.set(thread.threadId, thread);
  }
  const items = sorted([...all.values()]);
  return items.every((thread, index) => thread === before[index]) ? before : items;
}

/** Newest first. The transport gives all dates in one form, in which their order is that of the text. */
function sorted(items: readonly Thread[]): readonly Thread[] {
  return items.toSorted(({ updatedAt: a }, { updatedAt: b }) => (a < b ? 1 : a > b ? -1 : 0));
}

/** A thread above all others, with a date later than theirs: the visitor's clock may be behind the server's. */
function onTopOf(others: readonly Thread[], thread: Thread): readonly Thread[] {
  const latest = others[0]?.updatedAt ?? "";
  const onTop =
    thread.updatedAt > latest ? thread : { ...thread, updatedAt: new Date(Date.parse(latest) + 1).toISOString() };
  return [onTop, ...others];
}
