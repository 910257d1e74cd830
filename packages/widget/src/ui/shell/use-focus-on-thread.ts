import { useEffect, useRef } from "react";
import type { RefObject } from "react";
import { shownTitle } from "../../store/selectors.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { useAnnounce } from "../primitives/announcer.tsx";
import { focusComposer, focusedIn } from "../primitives/focus.ts";

/**
 * Whoever opened another thread by a press wants to write in it: the caret goes to the composer. A thread that changes
 * by itself, or the first one of the page, takes the focus from nobody. Either way screen readers hear which it is.
 *
 * @returns goes on the element that holds the whole view
 */
export function useFocusOnThread(): RefObject<HTMLDivElement | null> {
  const frame = useRef<HTMLDivElement>(null);
  const { store, words } = useChat();
  const announce = useAnnounce();
  const activeId = useChatState((state) => state.threads.activeId);
  const before = useRef(activeId);
  useEffect(() => {
    const changed = before.current !== undefined && before.current !== activeId;
    before.current = activeId;
    if (!changed || activeId === undefined) return;
    announce(words.thread.opened(shownTitle(store.get(), activeId).trim() || words.header.untitled));
    if (frame.current && focusedIn(frame.current)?.matches("button")) focusComposer(frame.current);
  }, [activeId, announce, store, words]);
  return frame;
}
