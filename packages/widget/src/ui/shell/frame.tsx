import { Sidebar } from "../sidebar/sidebar.tsx";
import { SidebarProvider } from "../sidebar/sidebar-context.tsx";
import { ChatBody } from "../thread/chat-body.tsx";
import { ChatHeader } from "./chat-header.tsx";
import { useFocusOnThread } from "./use-focus-on-thread.ts";

/** Sidebar and conversation side by side. Its layout depends on its own width, not on the window's. */
export function Frame() {
  const frame = useFocusOnThread();
  return (
    <SidebarProvider>
      <div ref={frame} className="frame">
        <Sidebar />
        <main className="chat" part="chat">
          <ChatHeader />
          <ChatBody />
        </main>
      </div>
    </SidebarProvider>
  );
}
