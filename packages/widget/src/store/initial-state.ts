import type { ServerConfig } from "@nitka/protocol";
import type { ChatState, ComposerDraft, Conversation } from "./state.ts";

/** A thread whose messages have not been requested. */
export const emptyConversation: Conversation = {
  load: { status: "absent" },
  messages: [],
  keys: {},
  outbox: [],
  failures: {},
};

/** An empty draft. */
export const emptyDraft: ComposerDraft = { text: "", attachments: [], status: "open" };

/** The state before the first request: the list is loading and no thread is open. */
export function initialState(start: {
  readonly config: ServerConfig;
  readonly sidebarOpen: boolean;
  readonly compact: boolean;
  readonly panelOpen: boolean;
}): ChatState {
  const { config, sidebarOpen, compact, panelOpen } = start;
  return {
    config,
    threads: { load: { status: "loading" }, items: [], typedTitles: {}, older: { status: "none" }, failures: {} },
    conversations: {},
    drafts: {},
    sidebar: { open: sidebarOpen, sheetOpen: false, compact },
    panelOpen,
    ...(config.model === undefined ? {} : { model: config.model }),
  };
}
