import { useEffect, useRef } from "react";
import type { RefObject } from "react";
import { shownTitle } from "../../store/selectors.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { useAnnounce } from "../primitives/announcer.tsx";
import { focusComposer, focusedIn } from "../primitives/focus.ts";

/**
 * Moves the focus to the composer when the visitor opens another thread by a button: the next thing they do is write. The
 * page's first thread and one that the host opens move no focus. Screen readers hear the title of the thread in any case.
 *
 * @returns a ref for the element that holds the whole view
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
    if (frame.current && focusedIn(frame.current) instanceof HTMLButtonElement) focusComposer(frame.current);
  }, [activeId, announce, store, words]);
  return frame;
}
