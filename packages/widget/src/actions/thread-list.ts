import * as threads from "../store/threads.ts";
import type { ActionContext } from "./action-context.ts";
import { HIGHLIGHT_MS } from "../timings.ts";

/** The list's order, and the mark on what has just moved in it. */
export interface ThreadList {
  /** The visitor said something in a thread: it moves to the top and is highlighted. */
  bump(threadId: string): void;
  /** An answer came to its end: the thread moves to the top, and is highlighted if it was not there. */
  touch(threadId: string): void;
  /** Marks a thread for its time. */
  highlight(threadId: string): void;
}

export function createThreadList(context: ActionContext): ThreadList {
  const { store, after, now } = context;
  let clear: () => void = () => undefined;

  const highlight = (threadId: string) => {
    clear();
    store.set((state) => threads.highlightThread(state, threadId));
    clear = after(HIGHLIGHT_MS, () => store.set(threads.endHighlight));
  };
  const move = (threadId: string) => store.set((state) => threads.bumpThread(state, threadId, now()));
  return {
    highlight,
    bump(threadId) {
      move(threadId);
      highlight(threadId);
    },
    touch(threadId) {
      const wasOnTop = store.get().threads.items[0]?.threadId === threadId;
      move(threadId);
      if (!wasOnTop) highlight(threadId);
    },
  };
}
