/** What happens to drafts: the composer's of each thread, and the one of a question that is edited. */
import type { Message } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";
import { emptyDraft } from "./initial-state.ts";
import { draftOf } from "./selectors.ts";
import type { ChatState, ComposerDraft, Conversation, DraftAttachment, Failure } from "./state.ts";

/**
 * The state with one thread's draft changed, or with the draft that has no thread yet (`undefined`). An empty draft is
 * removed.
 */
export function changeDraft(
  state: ChatState,
  threadId: string | undefined,
  change: (draft: ComposerDraft) => ComposerDraft,
): ChatState {
  const before = draftOf(state, threadId);
  const after = change(before);
  if (after === before) return state;
  const empty = after.text === "" && after.attachments.length === 0 && !after.failure && !after.waiting;
  if (threadId === undefined) {
    const { draftWithoutThread: _, ...rest } = state;
    return empty ? rest : { ...rest, draftWithoutThread: after };
  }
  const { [threadId]: _, ...others } = state.drafts;
  return { ...state, drafts: empty ? others : { ...others, [threadId]: after } };
}

/** New text. What went wrong with the old one is no longer the point. */
export function setText(draft: ComposerDraft, text: string): ComposerDraft {
  const { failure: _, ...rest } = draft;
  return { ...rest, text };
}

export function failDraft(draft: ComposerDraft, failure: Failure | undefined): ComposerDraft {
  const { failure: _, waiting: __, ...rest } = draft;
  return failure === undefined ? rest : { ...rest, failure };
}

export function setWaiting(draft: ComposerDraft, waiting: boolean): ComposerDraft {
  const { waiting: _, failure: __, ...rest } = draft;
  return waiting ? { ...rest, waiting } : rest;
}

export function addAttachments(draft: ComposerDraft, attachments: readonly DraftAttachment[]): ComposerDraft {
  return attachments.length === 0 ? draft : { ...draft, attachments: [...draft.attachments, ...attachments] };
}

export function changeAttachment(
  draft: ComposerDraft,
  attachmentId: string,
  change: (attachment: DraftAttachment) => DraftAttachment,
): ComposerDraft {
  if (!draft.attachments.some((attachment) => attachment.id === attachmentId)) return draft;
  return {
    ...draft,
    attachments: draft.attachments.map((attachment) =>
      attachment.id === attachmentId ? change(attachment) : attachment,
    ),
  };
}

export function removeAttachment(draft: ComposerDraft, attachmentId: string): ComposerDraft {
  const { failure: _, ...rest } = draft;
  return { ...rest, attachments: draft.attachments.filter((attachment) => attachment.id !== attachmentId) };
}

/** The draft without what is being sent: its text, and these of its files. */
export function takeDraft(draft: ComposerDraft, sent: readonly DraftAttachment[]): ComposerDraft {
  const ids = new Set(sent.map(({ id }) => id));
  return { text: "", attachments: draft.attachments.filter(({ id }) => !ids.has(id)) };
}

/** Gives back what could not be sent, before what has been written since. */
export function restoreDraft(draft: ComposerDraft, sent: ComposerDraft): ComposerDraft {
  const text = draft.text === "" ? sent.text : `${sent.text}\n${draft.text}`;
  return { ...failDraft(draft, undefined), text, attachments: [...sent.attachments, ...draft.attachments] };
}

export function beginEdit(conversation: Conversation, messageId: string): Conversation {
  const message = conversation.messages.find((candidate) => candidate.id === messageId);
  if (message?.role !== "user") return conversation;
  return { ...conversation, edit: { messageId, draft: { ...emptyDraft, text: textOf(message) } } };
}

export function setEditText(conversation: Conversation, text: string): Conversation {
  const { edit } = conversation;
  return edit ? { ...conversation, edit: { ...edit, draft: setText(edit.draft, text) } } : conversation;
}

export function endEdit(conversation: Conversation): Conversation {
  if (!conversation.edit) return conversation;
  const { edit: _, ...rest } = conversation;
  return rest;
}

/** A question with other words: what it holds beside its text goes along. */
export function withText(message: Message, text: string): Message["content"] {
  if (typeof message.content === "string") return text;
  const others = message.content.filter((part) => part.type !== "text");
  return others.length === 0 ? text : [{ type: "text", text }, ...others];
}
