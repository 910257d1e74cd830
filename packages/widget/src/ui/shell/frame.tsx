import { useEffect, useRef } from "react";
import type { ReactNode, RefObject } from "react";
import { useChat, useChatState } from "../chat-context.tsx";
import { FileDropArea } from "../composer/file-drop-area.tsx";
import { Sidebar, SidebarProvider } from "../sidebar/sidebar.tsx";
import { ChatBody } from "../thread/chat-body.tsx";
import { ChatHeader } from "./chat-header.tsx";
import { shownTitle } from "../../store/selectors.ts";
import { useAnnounce } from "../primitives/announcer.tsx";
import { focusComposer, focusedIn } from "../primitives/focus.ts";

/**
 * The sidebar and the conversation side by side. The layout depends on the frame's own width, not on the window's. `tools` are
 * at the end of its header.
 */
export function Frame({ tools }: { readonly tools?: ReactNode }) {
  const { words } = useChat();
  const frame = useFocusOnThread();
  return (
    <SidebarProvider>
      <FileDropArea ref={frame} className="frame">
        <Sidebar />
        <section className="chat" part="chat" aria-label={words.launcher.title}>
          <ChatHeader>{tools}</ChatHeader>
          <ChatBody />
        </section>
      </FileDropArea>
    </SidebarProvider>
  );
}

/**
 * Moves the focus to the composer when the visitor opens another thread with a button, because they will write next. The page's
 * first thread, and threads that the host opens, do not move the focus. Screen readers announce the title of the thread in any
 * case.
 *
 * @returns a ref for the element that contains the whole view
 */
function useFocusOnThread(): RefObject<HTMLDivElement | null> {
  const frame = useRef<HTMLDivElement>(null);
  const { store, words } = useChat();
  const announce = useAnnounce();
  const activeId = useChatState((state) => state.threads.activeId);
  const before = useRef(activeId);
  useEffect(() => {
    const last = before.current;
    before.current = activeId;
    if (last === undefined || last === activeId || activeId === undefined) return;
    announce(words.thread.opened(shownTitle(store.get(), activeId).trim() || words.header.untitled));
    // The focus is beside the button that restores the last thread.
    if (store.get().threads.removed?.some(({ thread }) => thread.threadId === last)) return;
    if (frame.current && focusedIn(frame.current) instanceof HTMLButtonElement) focusComposer(frame.current);
  }, [activeId, announce, store, words]);
  return frame;
}
