/** Threads that the visitor has deleted, while they can be brought back. */
import { changeDraft, setText } from "./composer.ts";
import type { ChatState, RemovedThread } from "./state.ts";
import { failThread, refreshThreads, removeThread } from "./threads.ts";

/** Removes a thread from the list, and offers to bring it back. */
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

/** What was found holds a removed thread no longer. */
export function dropHit(state: ChatState, threadId: string): ChatState {
  const { search } = state.threads;
  if (search?.load.status !== "ready") return state;
  const hits = search.hits.filter((hit) => hit.threadId !== threadId);
  return { ...state, threads: { ...state.threads, search: { ...search, hits } } };
}

/** The thread that is open now took the place of a removed one. */
export function setSuccessor(state: ChatState, threadId: string): ChatState {
  const { activeId } = state.threads;
  if (activeId === undefined) return state;
  const withSuccessor = (one: RemovedThread) => ({ ...one, successor: activeId });
  const removed = (state.threads.removed ?? []).map((one) =>
    one.thread.threadId === threadId ? withSuccessor(one) : one,
  );
  return { ...state, threads: { ...state.threads, removed } };
}

/** A removed thread can be brought back no longer, or is back. */
export function endOffer(state: ChatState, threadId: string): ChatState {
  const { removed = [], ...threads } = failThread(state, threadId, undefined).threads;
  const left = removed.filter((one) => one.thread.threadId !== threadId);
  return { ...state, threads: { ...threads, ...(left.length > 0 && { removed: left }) } };
}

/** A removed thread is in the list again, at its place, with its draft. */
export function bringBack(state: ChatState, { thread, draft }: RemovedThread): ChatState {
  const listed = refreshThreads(endOffer(state, thread.threadId), [thread]);
  return draft === undefined ? listed : changeDraft(listed, thread.threadId, (empty) => setText(empty, draft));
}

export function removedThread(state: ChatState, threadId: string): RemovedThread | undefined {
  return state.threads.removed?.find((one) => one.thread.threadId === threadId);
}
