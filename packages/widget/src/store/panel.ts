import type { ChatState, Notice } from "./state.ts";

/** Opens or closes the launcher's panel. That removes the notice beside the button. */
export function setPanelOpen(state: ChatState, panelOpen: boolean): ChatState {
  if (state.panelOpen === panelOpen) return state;
  const { notice: _, ...rest } = state;
  return { ...rest, panelOpen };
}

/** Marks the launcher's button, unless the panel is open. */
export function setNotice(state: ChatState, notice: Notice): ChatState {
  return state.panelOpen ? state : { ...state, notice };
}
