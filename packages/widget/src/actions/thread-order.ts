import * as threads from "../store/threads.ts";
import type { ActionContext } from "./action-context.ts";
import { HIGHLIGHT_MS } from "../timings.ts";

/** The order of the list, and the highlight of a thread that has moved. */
export interface ThreadOrder {
  /** The visitor has asked a question: the thread moves to the top and is highlighted. */
  bump(threadId: string): void;
  /** An answer has settled: the thread moves to the top, and is highlighted unless it was there already. */
  touch(threadId: string): void;
  /** Highlights a thread for {@link HIGHLIGHT_MS}. */
  highlight(threadId: string): void;
}

export function createThreadOrder(context: ActionContext): ThreadOrder {
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
