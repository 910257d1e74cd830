import { useChat } from "../chat-context.tsx";
import { IconButton } from "../primitives/icon-button.tsx";
import { useSidebar } from "./sidebar-context.tsx";

/** Expands and collapses the sidebar; on compact layouts it opens the sheet. */
export function SidebarToggle() {
  const { actions, words } = useChat();
  const { id, open } = useSidebar();
  return (
    <IconButton
      icon="sidebar"
      label={words.sidebar.label}
      aria-expanded={open}
      aria-controls={id}
      aria-keyshortcuts="Control+B Meta+B"
      onClick={() => actions.toggleSidebar()}
    />
  );
}
