import type { ChatState } from "./state.ts";

/** The browser has lost its network, or has it again. */
export function setOffline(state: ChatState, offline: boolean): ChatState {
  return (state.offline ?? false) === offline ? state : { ...state, offline };
}
