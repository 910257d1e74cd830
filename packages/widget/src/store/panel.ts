import type { ChatState, Notice } from "./state.ts";

/** Opens or closes the launcher's panel. Who opens it has seen what stood beside it. */
export function setPanelOpen(state: ChatState, panelOpen: boolean): ChatState {
  if (state.panelOpen === panelOpen) return state;
  const { notice: _, ...rest } = state;
  return { ...rest, panelOpen };
}

/** Marks the launcher's button, unless the panel is open. */
export function setNotice(state: ChatState, notice: Notice): ChatState {
  return state.panelOpen ? state : { ...state, notice };
}
