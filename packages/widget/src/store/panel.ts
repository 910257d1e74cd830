import type { ChatState } from "./state.ts";

/** Opens or closes the launcher's panel. */
export function setPanelOpen(state: ChatState, panelOpen: boolean): ChatState {
  return state.panelOpen === panelOpen ? state : { ...state, panelOpen };
}
