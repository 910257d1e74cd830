/** Changes of the shell around the conversation: the panel and its notice, the sidebar, the network state. */
import type { ChatState, Notice } from "./state.ts";

/** Opens or closes the launcher's panel, and removes the notice. */
export function setPanelOpen(state: ChatState, panelOpen: boolean): ChatState {
  if (state.panelOpen === panelOpen) return state;
  const { notice: _, ...rest } = state;
  return { ...rest, panelOpen };
}

/** Sets the notice on the launcher's button, unless the panel is open. */
export function setNotice(state: ChatState, notice: Notice): ChatState {
  return state.panelOpen ? state : { ...state, notice };
}

/** Expands or collapses the sidebar; in the compact layout, opens or closes its sheet. */
export function toggleSidebar(state: ChatState): ChatState {
  const { sidebar } = state;
  return {
    ...state,
    sidebar: sidebar.compact ? { ...sidebar, sheetOpen: !sidebar.sheetOpen } : { ...sidebar, open: !sidebar.open },
  };
}

export function closeSheet(state: ChatState): ChatState {
  return state.sidebar.sheetOpen ? { ...state, sidebar: { ...state.sidebar, sheetOpen: false } } : state;
}

/** Sets whether the layout is compact, and closes the sheet. */
export function setCompact(state: ChatState, compact: boolean): ChatState {
  if (state.sidebar.compact === compact) return state;
  return { ...state, sidebar: { ...state.sidebar, compact, sheetOpen: false } };
}

/** Sets whether the browser has lost its network. */
export function setOffline(state: ChatState, offline: boolean): ChatState {
  return (state.offline ?? false) === offline ? state : { ...state, offline };
}
