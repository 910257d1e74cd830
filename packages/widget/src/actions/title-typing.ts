import * as threads from "../store/threads.ts";
import type { ActionContext } from "./action-context.ts";
import { hasThread } from "./action-context.ts";
import { TITLE_TYPING_MS } from "../timings.ts";

/** Types the titles that the assistant sets, one grapheme at a time. With reduced motion they appear at once. */
export interface TitleTyping {
  type(threadId: string, title: string): void;
  /** Ends the typing of a title and shows all of it. */
  finish(threadId: string): void;
}

export function createTitleTyping(context: ActionContext): TitleTyping {
  const { store, after, now, prefersReducedMotion } = context;
  const running = new Map<string, () => void>();

  const finish = (threadId: string) => {
    running.get(threadId)?.();
    running.delete(threadId);
    store.set((state) => threads.typeTitle(state, threadId, undefined));
  };
  return {
    finish,
    type(threadId, title) {
      finish(threadId);
      const state = store.get();
      const shown = state.threads.items.find((thread) => thread.threadId === threadId)?.title;
      if (!hasThread(state, threadId) || shown === title) return;
      const typing = !prefersReducedMotion() && title !== "";
      store.set((before) => {
        const renamed = threads.renameThread(before, threadId, title);
        return typing ? threads.typeTitle(renamed, threadId, "") : renamed;
      });
      if (!typing) return;

      const graphemes = graphemesOf(title);
      const begun = now();
      const step = () => {
        // The clock decides, not the number of steps, because the timers of a hidden page are late.
        const count = Math.max(1, Math.floor((now() - begun) / TITLE_TYPING_MS));
        if (count >= graphemes.length) return finish(threadId);
        running.set(threadId, after(TITLE_TYPING_MS, step));
        return store.set((before) => threads.typeTitle(before, threadId, graphemes.slice(0, count).join("")));
      };
      running.set(threadId, after(TITLE_TYPING_MS, step));
    },
  };
}

/**
 * Splits a text into graphemes, the characters that a reader sees.
 *
 * @example graphemesOf("👨‍👩‍👧 д") // ["👨‍👩‍👧", " ", "д"]
 */
function graphemesOf(text: string): readonly string[] {
  return Array.from(new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text), ({ segment }) => segment);
}
