/** What happens to the list of threads. */
import type { Thread } from "@nitka/protocol";
import type { ChatState, Failure, ThreadsState } from "./state.ts";

/** What concerns the whole list is kept under this name among the failures. */
export const LIST = "";

/** The list as the server has it. Threads made meanwhile stay. */
export function setThreads(state: ChatState, items: readonly Thread[], hasMore: boolean): ChatState {
  const { failure: _, ...threads } = state.threads;
  return { ...state, threads: { ...threads, status: "ready", items: merged(threads.items, items), hasMore } };
}

export function beginThreads(state: ChatState): ChatState {
  const { failure: _, ...threads } = state.threads;
  return { ...state, threads: { ...threads, status: "loading" } };
}

export function failThreads(state: ChatState, failure: Failure): ChatState {
  return change(state, { status: "failed", failure });
}

export function beginMoreThreads(state: ChatState): ChatState {
  return failThread(change(state, { loadingMore: true }), LIST, undefined);
}

/** A page of older threads. One that brings nothing new is the last. */
export function addThreads(state: ChatState, page: readonly Thread[], hasMore: boolean): ChatState {
  const known = new Set(state.threads.items.map((thread) => thread.threadId));
  const brings = page.some((thread) => !known.has(thread.threadId));
  const items = merged(state.threads.items, page);
  return change(state, { items, hasMore: hasMore && brings, loadingMore: false });
}

export function failMoreThreads(state: ChatState, failure: Failure): ChatState {
  return failThread(change(state, { loadingMore: false }), LIST, failure);
}

/** A new thread: at the top, and active. */
export function addThread(state: ChatState, thread: Thread): ChatState {
  const others = state.threads.items.filter((item) => item.threadId !== thread.threadId);
  const items = sorted([{ ...thread, updatedAt: onTopOf(others, thread.updatedAt) }, ...others]);
  const added = change(state, { items, activeId: thread.threadId });
  return failThread(added, LIST, undefined);
}

export function activateThread(state: ChatState, threadId: string): ChatState {
  return state.threads.activeId === threadId ? state : change(state, { activeId: threadId });
}

/** Moves a thread to the top. */
export function bumpThread(state: ChatState, threadId: string, now: number): ChatState {
  const { items } = state.threads;
  const thread = items.find((item) => item.threadId === threadId);
  if (!thread) return state;
  const others = items.filter((item) => item !== thread);
  const bumped = { ...thread, updatedAt: onTopOf(others, new Date(now).toISOString()) };
  return change(state, { items: sorted([bumped, ...others]) });
}

export function highlightThread(state: ChatState, threadId: string): ChatState {
  return change(state, { highlightedId: threadId });
}

export function endHighlight(state: ChatState): ChatState {
  const { highlightedId: _, ...threads } = state.threads;
  return { ...state, threads };
}

export function renameThread(state: ChatState, threadId: string, title: string): ChatState {
  const items = state.threads.items.map((thread) => (thread.threadId === threadId ? { ...thread, title } : thread));
  return change(state, { items });
}

/** How much of a title has been typed; `undefined` when it stands there as it is. */
export function typeTitle(state: ChatState, threadId: string, typed: string | undefined): ChatState {
  const { [threadId]: before, ...others } = state.threads.typedTitles;
  if (before === typed) return state;
  return change(state, { typedTitles: typed === undefined ? others : { ...others, [threadId]: typed } });
}

/** Takes a thread and all that is known of it away. If it was active, the one below becomes so, else the one above. */
export function removeThread(state: ChatState, threadId: string): ChatState {
  const { items, activeId } = state.threads;
  const index = items.findIndex((thread) => thread.threadId === threadId);
  const left = items.filter((thread) => thread.threadId !== threadId);
  const { [threadId]: _, ...conversations } = state.conversations;
  const { [threadId]: __, ...drafts } = state.drafts;
  const { activeId: ___, ...threads } = state.threads;
  const next = activeId === threadId ? (left[index] ?? left[index - 1])?.threadId : activeId;
  const without = typeTitle(failThread(state, threadId, undefined), threadId, undefined).threads;
  return {
    ...state,
    conversations,
    drafts,
    threads: {
      ...threads,
      typedTitles: without.typedTitles,
      failures: without.failures,
      items: left,
      ...(next === undefined ? {} : { activeId: next }),
    },
  };
}

/** What failed about a thread, or about the list; `undefined` when it no longer does. */
export function failThread(state: ChatState, threadId: string, failure: Failure | undefined): ChatState {
  const { [threadId]: before, ...others } = state.threads.failures;
  if (before === failure) return state;
  return change(state, { failures: failure === undefined ? others : { ...others, [threadId]: failure } });
}

function change(state: ChatState, threads: Partial<ThreadsState>): ChatState {
  return { ...state, threads: { ...state.threads, ...threads } };
}

/** Both lists as one: where they differ about a thread, the second is right. */
function merged(before: readonly Thread[], after: readonly Thread[]): readonly Thread[] {
  return sorted([...new Map([...before, ...after].map((thread) => [thread.threadId, thread])).values()]);
}

function sorted(items: readonly Thread[]): readonly Thread[] {
  return items.toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt));
}

/** A date later than all of these: the visitor's clock may be behind the server's. */
function onTopOf(others: readonly Thread[], updatedAt: string): string {
  const latest = others.reduce(
    (date, thread) => Math.max(date, Date.parse(thread.updatedAt)),
    Number.NEGATIVE_INFINITY,
  );
  return Date.parse(updatedAt) > latest ? updatedAt : new Date(latest + 1).toISOString();
}
