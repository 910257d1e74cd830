/** Threads that the visitor has deleted and can still restore. */
import { changeDraft, setText } from "./composer.ts";
import type { ChatState, RemovedThread } from "./state.ts";
import { failThread, refreshThreads, removeThread } from "./threads.ts";

/** Removes a thread from the list and offers to restore it. */
export function removeForNow(state: ChatState, threadId: string): ChatState {
  const thread = state.threads.items.find((item) => item.threadId === threadId);
  if (!thread) return state;
  const draft = state.drafts[threadId]?.text ?? "";
  const left = removeThread(state, threadId);
  const offered = { thread, ...(draft !== "" && { draft }) };
  const removed = [...(state.threads.removed ?? []).filter((one) => one.thread.threadId !== threadId), offered];
  const withOffer = { ...left, threads: { ...left.threads, removed } };
  return state.threads.activeId === threadId ? setSuccessor(withOffer, threadId) : withOffer;
}

/** Removes a deleted thread from the search results. */
export function dropHit(state: ChatState, threadId: string): ChatState {
  const { search } = state.threads;
  if (search?.load.status !== "ready") return state;
  const hits = search.hits.filter((hit) => hit.threadId !== threadId);
  return { ...state, threads: { ...state.threads, search: { ...search, hits } } };
}

/** Marks the open thread as the successor of the removed one. */
export function setSuccessor(state: ChatState, threadId: string): ChatState {
  const { activeId } = state.threads;
  if (activeId === undefined) return state;
  const withSuccessor = (one: RemovedThread) => ({ ...one, successor: activeId });
  const removed = (state.threads.removed ?? []).map((one) =>
    one.thread.threadId === threadId ? withSuccessor(one) : one,
  );
  return { ...state, threads: { ...state.threads, removed } };
}

/** Ends the offer to restore a thread: it has expired, or the thread is restored. */
export function endOffer(state: ChatState, threadId: string): ChatState {
  const { removed = [], ...threads } = failThread(state, threadId, undefined).threads;
  const left = removed.filter((one) => one.thread.threadId !== threadId);
  return { ...state, threads: { ...threads, ...(left.length > 0 && { removed: left }) } };
}

/** Puts a removed thread back into the list, at its place, with its draft. */
export function bringBack(state: ChatState, { thread, draft }: RemovedThread): ChatState {
  const listed = refreshThreads(endOffer(state, thread.threadId), [thread]);
  return draft === undefined ? listed : changeDraft(listed, thread.threadId, (empty) => setText(empty, draft));
}

export function removedThread(state: ChatState, threadId: string): RemovedThread | undefined {
  return state.threads.removed?.find((one) => one.thread.threadId === threadId);
}
