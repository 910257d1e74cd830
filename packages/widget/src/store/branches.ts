import { headBelow, parentsOf } from "@nitka/protocol/branch";
import type { Message } from "@nitka/protocol";
import type { Conversation } from "./state.ts";

/** Shows the branch that goes through a message, down to its newest end. */
export function selectBranch(conversation: Conversation, messageId: string): Conversation {
  const { messages, headId } = conversation;
  if (!messages.some((message) => message.id === messageId)) return conversation;
  const head = headBelow(messages, messageId);
  return head === headId ? conversation : { ...conversation, headId: head };
}

/** The question that an answer answers. */
export function questionOf(conversation: Conversation, answerId: string): Message | undefined {
  const parentId = parentsOf(conversation.messages).get(answerId);
  const parent = conversation.messages.find((message) => message.id === parentId);
  return parent?.role === "user" ? parent : undefined;
}

/** The message that a message hangs on: `null` for a first one. */
export function parentOf(conversation: Conversation, messageId: string): string | null {
  return parentsOf(conversation.messages).get(messageId) ?? null;
}

/** The nearest message above a question of which the backend may know: none that is unsent, nor the answer to one. */
export function heardParentOf({ messages, unsent }: Conversation, questionId: string): string | null {
  const parents = parentsOf(messages);
  const isUnheard = (id: string) => unsent.includes(id) || unsent.includes(parents.get(id) ?? "");
  let parent = parents.get(questionId) ?? null;
  while (parent !== null && isUnheard(parent)) parent = parents.get(parent) ?? null;
  return parent;
}

/** Hangs a message on another one. */
export function hangOn(conversation: Conversation, messageId: string, parentId: string | null): Conversation {
  const messages = conversation.messages.map((message) =>
    message.id === messageId ? { ...message, parentId } : message,
  );
  return { ...conversation, messages };
}
