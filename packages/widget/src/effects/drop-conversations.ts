import type { Store } from "../store/create-store.ts";
import { hasWork } from "../store/selectors.ts";
import type { ChatState, Conversation } from "../store/state.ts";

/** The number of recently open threads whose messages stay in memory. */
const KEPT_CONVERSATIONS = 20;

/**
 * Drops the messages of threads that were not open recently and have no activity. They are loaded again when the thread is
 * opened.
 */
export function dropConversations(store: Store<ChatState>, signal: AbortSignal): void {
  /** The recently open threads, the open one first. */
  let recent: readonly string[] = [];
  const onChange = () => {
    const { activeId } = store.get().threads;
    if (activeId === undefined || activeId === recent[0]) return;
    recent = [activeId, ...recent.filter((id) => id !== activeId)].slice(0, KEPT_CONVERSATIONS);
    store.set((state) => withConversations(state, (threadId) => recent.includes(threadId)));
  };
  onChange();
  signal.addEventListener("abort", store.subscribe(onChange));
}

function withConversations(state: ChatState, isRecent: (threadId: string) => boolean): ChatState {
  const all = Object.entries(state.conversations);
  const kept = all.filter(
    ([threadId, conversation]) =>
      conversation.load.status === "loading" || isRecent(threadId) || hasWork(state, threadId) || mayGoOn(conversation),
  );
  return kept.length === all.length ? state : { ...state, conversations: Object.fromEntries(kept) };
}

/**
 * An answer of this page whose connection broke may be joined again. Its key then tells which of its tool calls have run here.
 */
function mayGoOn({ messages, keys }: Conversation): boolean {
  return messages.some(({ id, status }) => status?.type === "incomplete" && keys[id] !== undefined);
}
