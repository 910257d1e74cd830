/** Selectors of the state: what the view shows and which actions are possible. Buttons, keys and actions use the same rule. */
import type { Message, ServerConfig, Thread } from "@nitka/protocol";
import { fullAttachmentRules } from "@nitka/protocol/attachment-rules";
import type { FullAttachmentRules } from "@nitka/protocol/attachment-rules";
import { emptyConversation, emptyDraft } from "./initial-state.ts";
import type { CallState, ChatState, ComposerDraft, Conversation, ReadyConversation } from "./state.ts";

/** The id of the open thread, if the list has it. */
export function activeThreadId({ threads: { items, activeId } }: ChatState): string | undefined {
  return items.find(({ threadId }) => threadId === activeId)?.threadId;
}

/** A thread's conversation; an empty one if the widget has none. */
export function conversationOf(state: ChatState, threadId: string | undefined): Conversation {
  return (threadId === undefined ? undefined : state.conversations[threadId]) ?? emptyConversation;
}

/** A thread's conversation if its messages are known. A question asked before that would have no parent. */
export function readyConversation(state: ChatState, threadId: string): ReadyConversation | undefined {
  const conversation = conversationOf(state, threadId);
  return isReady(conversation) ? conversation : undefined;
}

function isReady(conversation: Conversation): conversation is ReadyConversation {
  return conversation.load.status === "ready";
}

/** A thread's draft, or the draft that has no thread yet. */
export function draftOf(state: ChatState, threadId: string | undefined): ComposerDraft {
  return (threadId === undefined ? state.draftWithoutThread : state.drafts[threadId]) ?? emptyDraft;
}

/** A thread's title as far as it has been typed; empty if it has none. */
export function shownTitle({ threads }: ChatState, threadId: string | undefined): string {
  const typed = threads.typedTitles[threadId ?? ""];
  return typed ?? threads.items.find((thread) => thread.threadId === threadId)?.title ?? "";
}

/** The message's React `key`. It does not change when the server renames the message. */
export function keyOf(conversation: Conversation, messageId: string): string {
  return conversation.keys[messageId] ?? messageId;
}

/** The title of the first tool call, in any thread, that waits for the visitor's approval. */
export function askingTitle({ conversations }: ChatState): string | undefined {
  for (const { run } of Object.values(conversations)) {
    for (const call of Object.values(run?.calls ?? {})) if (call.type === "asking") return call.title;
  }
  return undefined;
}

/** A tool call that the widget's own view asks the visitor about, or whose decision the backend has not received yet. */
export type AskingCall = Extract<CallState, { readonly type: "asking" | "deciding" }>;

export function isAsking(call: CallState | undefined): call is AskingCall {
  return call?.type === "asking" || call?.type === "deciding";
}

/** Whether the launcher's button has a mark: the host has set a notice, or a tool call waits for the visitor's approval. */
export function hasNotice(state: ChatState): boolean {
  return !state.panelOpen && (state.notice !== undefined || askingTitle(state) !== undefined);
}

/** Whether an answer is being written in the thread. */
export function isRunning(state: ChatState, threadId: string | undefined): boolean {
  return conversationOf(state, threadId).run !== undefined;
}

/** The threads in which an answer is being written. */
export function runningThreads({ conversations }: ChatState): readonly string[] {
  return Object.keys(conversations).filter((threadId) => conversations[threadId]?.run);
}

/** Whether a thread has an active run, or content that the backend does not have. */
export function hasWork(state: ChatState, threadId: string): boolean {
  const { run, edit, outbox } = conversationOf(state, threadId);
  return (run ?? edit ?? state.drafts[threadId]) !== undefined || outbox.length > 0;
}

/**
 * Whether a draft can be sent. It needs text: attachments are not enough. No run may be active in its thread. Without an open
 * thread the list must be loaded, because the question creates a thread.
 */
export function canSend(state: ChatState, threadId: string | undefined): boolean {
  if (threadId === undefined ? state.threads.load.status !== "ready" : isRunning(state, threadId)) return false;
  const draft = draftOf(state, threadId);
  return draft.status !== "waiting" && isWritten(draft.text);
}

/** Whether the visitor may edit the message: it is a question and no run is active. */
export function canEdit(state: ChatState, threadId: string, message: Message): boolean {
  return message.role === "user" && !isRunning(state, threadId);
}

/** Whether the edited question may be sent. */
export function canSubmitEdit(state: ChatState, threadId: string): boolean {
  const { edit } = conversationOf(state, threadId);
  return edit !== undefined && isWritten(edit.text) && !isRunning(state, threadId);
}

/** Whether the visitor may ask for another version of this answer. */
export function canRegenerate(state: ChatState, threadId: string, message: Message): boolean {
  return message.role === "assistant" && !isRunning(state, threadId);
}

/** Whether the visitor may retry a failed answer. An answer that the visitor stopped is regenerated instead. */
export function canRetry(state: ChatState, threadId: string, message: Message): boolean {
  const { status } = message;
  return status?.type === "incomplete" && status.reason !== "cancelled" && canRegenerate(state, threadId, message);
}

/** The rules for files, with defaults; `undefined` if the project takes no attachments. */
export function attachmentRules({ attachments }: ServerConfig): FullAttachmentRules | undefined {
  return fullAttachmentRules(attachments);
}

/** The list in two groups: threads updated since local midnight, and older ones. */
export interface ThreadGroups {
  readonly today: readonly Thread[];
  readonly earlier: readonly Thread[];
}

/** Divides the list at the midnight before today. */
export function groupThreads(threads: readonly Thread[], midnight: number): ThreadGroups {
  const { today = [], earlier = [] } = Object.groupBy(threads, ({ updatedAt }) =>
    Date.parse(updatedAt) >= midnight ? "today" : "earlier",
  );
  return { today, earlier };
}

/** The midnight before a time, in the visitor's time zone. */
export function startOfDay(at: Date | number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

function isWritten(text: string): boolean {
  return text.trim() !== "";
}
