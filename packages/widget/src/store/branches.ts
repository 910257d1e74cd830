import { branchTo, headBelow, parentsOf } from "@nitka/protocol/branch";
import type { Message } from "@nitka/protocol";
import { changeMessage } from "./conversation.ts";
import type { Conversation } from "./state.ts";

/** Shows the branch that contains a message, down to its newest leaf. */
export function selectBranch(conversation: Conversation, messageId: string): Conversation {
  const { messages, headId } = conversation;
  if (!messages.some((message) => message.id === messageId)) return conversation;
  const head = headBelow(messages, messageId);
  return head === headId ? conversation : { ...conversation, headId: head };
}

/** The last question of the shown branch. */
export function lastQuestion({ messages, headId }: Conversation): Message | undefined {
  return branchTo(messages, headId).findLast(({ message }) => message.role === "user")?.message;
}

/** The question that an answer answers. */
export function questionOf(conversation: Conversation, answerId: string): Message | undefined {
  const parentId = parentsOf(conversation.messages).get(answerId);
  const parent = conversation.messages.find((message) => message.id === parentId);
  return parent?.role === "user" ? parent : undefined;
}

/** A message's parent: `null` for a first message. */
export function parentOf(conversation: Conversation, messageId: string): string | null {
  return parentsOf(conversation.messages).get(messageId) ?? null;
}

/** The nearest ancestor of a question that the backend may know. Questions of the outbox and their answers are skipped. */
export function confirmedParentOf({ messages, outbox }: Conversation, questionId: string): string | null {
  const parents = parentsOf(messages);
  const isUnconfirmed = (id: string) => outbox.includes(id) || outbox.includes(parents.get(id) ?? "");
  let parent = parents.get(questionId) ?? null;
  while (parent !== null && isUnconfirmed(parent)) parent = parents.get(parent) ?? null;
  return parent;
}

/** Changes a message's parent. */
export function setParent(conversation: Conversation, messageId: string, parentId: string | null): Conversation {
  return changeMessage(conversation, messageId, (message) => ({ ...message, parentId }));
}
