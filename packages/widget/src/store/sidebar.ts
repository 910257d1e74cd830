import type { ChatState } from "./state.ts";

/** Expands or collapses the sidebar; on compact layouts opens or closes its sheet. */
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

/** The widget has become narrow or wide. That closes the sheet. */
export function setCompact(state: ChatState, compact: boolean): ChatState {
  if (state.sidebar.compact === compact) return state;
  return { ...state, sidebar: { ...state.sidebar, compact, sheetOpen: false } };
}
