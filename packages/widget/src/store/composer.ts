/** Changes of drafts: the draft of each thread, and the text of a question in the editor. */
import type { Message } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";
import { emptyDraft } from "./initial-state.ts";
import { draftOf } from "./selectors.ts";
import { without } from "./without.ts";
import type { ChatState, ComposerDraft, Conversation, DraftAttachment, DraftContent, Failure } from "./state.ts";

/** The state with a changed draft: a thread's, or the draft that has no thread yet (`undefined`). An empty draft is removed. */
export function changeDraft(
  state: ChatState,
  threadId: string | undefined,
  change: (draft: ComposerDraft) => ComposerDraft,
): ChatState {
  const before = draftOf(state, threadId);
  const after = change(before);
  if (after === before) return state;
  const isEmpty = after.text === "" && after.attachments.length === 0 && after.status === "open";
  if (threadId === undefined) {
    const { draftWithoutThread: _, ...rest } = state;
    return isEmpty ? rest : { ...rest, draftWithoutThread: after };
  }
  const others = without(state.drafts, threadId);
  return { ...state, drafts: isEmpty ? others : { ...others, [threadId]: after } };
}

/** Sets the text, and removes a failure of the old text. */
export function setText(draft: ComposerDraft, text: string): ComposerDraft {
  return { ...withoutFailure(draft), text };
}

/** The visitor has sent the draft, which waits for something before it can be posted. */
export function holdDraft({ text, attachments }: ComposerDraft): ComposerDraft {
  return { text, attachments, status: "waiting" };
}

/** The draft could not be sent, or a file was refused. The visitor can keep writing. */
export function failDraft({ text, attachments }: ComposerDraft, failure: Failure): ComposerDraft {
  return { text, attachments, status: "failed", failure };
}

/** The draft without its waiting or failed status. */
export function reopenDraft({ text, attachments }: ComposerDraft): ComposerDraft {
  return { text, attachments, status: "open" };
}

/** Removes a failure whose cause has changed. A waiting draft keeps waiting. */
export function withoutFailure(draft: ComposerDraft): ComposerDraft {
  return draft.status === "failed" ? reopenDraft(draft) : draft;
}

/** Appends files. */
export function addAttachments(draft: ComposerDraft, attachments: readonly DraftAttachment[]): ComposerDraft {
  return attachments.length === 0 ? draft : { ...draft, attachments: [...draft.attachments, ...attachments] };
}

/** Changes one file, unless the visitor has removed it. */
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

/** Removes one file, and the draft's failure, which may have been about this file. */
export function removeAttachment(draft: ComposerDraft, attachmentId: string): ComposerDraft {
  return { ...withoutFailure(draft), attachments: draft.attachments.filter(({ id }) => id !== attachmentId) };
}

/** Removes from the draft what is being sent: its text, and these files. */
export function takeDraft(draft: ComposerDraft, sent: readonly DraftAttachment[]): ComposerDraft {
  const ids = new Set(sent.map(({ id }) => id));
  return { text: "", attachments: draft.attachments.filter(({ id }) => !ids.has(id)), status: "open" };
}

/** Puts content that could not be sent back into the draft, before anything written since. */
export function restoreDraft(draft: ComposerDraft, sent: DraftContent): ComposerDraft {
  const text = [sent.text, draft.text].filter(Boolean).join("\n");
  return { text, attachments: [...sent.attachments, ...draft.attachments], status: "open" };
}

/** Moves the draft that has no thread to a thread that opens, after that thread's own draft. */
export function moveDraft(state: ChatState, threadId: string): ChatState {
  const { draftWithoutThread, ...rest } = state;
  if (!draftWithoutThread) return state;
  return changeDraft(rest, threadId, (draft) =>
    draft === emptyDraft ? draftWithoutThread : restoreDraft(draftWithoutThread, draft),
  );
}

/** Opens the editor of a question. */
export function beginEdit(conversation: Conversation, messageId: string): Conversation {
  const message = conversation.messages.find(({ id }) => id === messageId);
  return message?.role === "user" ? { ...conversation, edit: { messageId, text: textOf(message) } } : conversation;
}

/** Changes the text in the open editor. */
export function setEditText(conversation: Conversation, text: string): Conversation {
  const { edit } = conversation;
  return edit ? { ...conversation, edit: { ...edit, text } } : conversation;
}

/** Closes the editor. */
export function endEdit(conversation: Conversation): Conversation {
  if (!conversation.edit) return conversation;
  const { edit: _, ...rest } = conversation;
  return rest;
}

/** A question's content with its text replaced. Its other parts follow the text. */
export function withText(message: Message, text: string): Message["content"] {
  if (typeof message.content === "string") return text;
  const others = message.content.filter((part) => part.type !== "text");
  return others.length === 0 ? text : [{ type: "text", text }, ...others];
}
