import { useChat } from "../chat-context.tsx";
import { Dialog } from "../primitives/dialog.tsx";
import { IconButton } from "../primitives/icon-button.tsx";
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

/**
 * Positions the sheet over its widget in browsers without CSS anchor positioning: a modal dialog is laid out against the
 * window, not against its parent. Sets `--sheet-top`, `--sheet-bottom`, `--sheet-start`, `--sheet-room` (pixels).
 */
function placeSheet(sheet: HTMLElement): void {
  const box = sheet.parentElement?.getBoundingClientRect();
  if (!box || CSS.supports("anchor-name", "--a")) return;
  const { innerHeight } = window;
  const sides = {
    top: box.top,
    bottom: innerHeight - box.bottom,
    // The widget is laid out from left to right, also on a page that is not.
    start: box.left,
    room: box.width,
  };
  for (const [name, px] of Object.entries(sides)) sheet.style.setProperty(`--sheet-${name}`, `${px}px`);
}
