import { useChat } from "../chat-context.tsx";
import { FileDropArea } from "../composer/file-drop-area.tsx";
import { Sidebar } from "../sidebar/sidebar.tsx";
import { SidebarProvider } from "../sidebar/sidebar-context.tsx";
import { ChatBody } from "../thread/chat-body.tsx";
import { ChatHeader } from "./chat-header.tsx";
import { useFocusOnThread } from "./use-focus-on-thread.ts";

/** Sidebar and conversation side by side. Its layout depends on its own width, not on the window's. */
export function Frame() {
  const { words } = useChat();
  const frame = useFocusOnThread();
  return (
    <SidebarProvider>
      <FileDropArea ref={frame} className="frame">
        <Sidebar />
        <section className="chat" part="chat" aria-label={words.launcher.title}>
          <ChatHeader />
          <ChatBody />
        </section>
      </FileDropArea>
    </SidebarProvider>
  );
}
