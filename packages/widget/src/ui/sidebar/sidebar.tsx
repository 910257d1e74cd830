import { useChat } from "../chat-context.tsx";
import { Dialog } from "../primitives/dialog.tsx";
import { IconButton } from "../primitives/icon-button.tsx";
import { placeSheet } from "./place-sheet.ts";
import { useSidebar } from "./sidebar-context.tsx";
import { SidebarContent } from "./sidebar-content.tsx";

/** Beside the conversation: expanded, or a rail of icons. On compact layouts: a sheet that slides in from the left. */
export function Sidebar() {
  const { actions, words } = useChat();
  const { id, open, compact } = useSidebar();
  return compact ? (
    <Dialog
      id={id}
      className="sheet"
      aria-label={words.sidebar.label}
      open={open}
      place={placeSheet}
      onClose={() => actions.closeSheet()}
    >
      <IconButton
        icon="close"
        label={words.attachments.close}
        className="sheet-close"
        onClick={() => actions.closeSheet()}
      />
      <SidebarContent expanded />
    </Dialog>
  ) : (
    <aside id={id} className="sidebar" part="sidebar" aria-label={words.sidebar.label} data-open={open || undefined}>
      <SidebarContent expanded={open} />
    </aside>
  );
}
