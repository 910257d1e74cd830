/** Changes of a conversation: loading its messages, and adding runs to it. */
import type { Message, Suggestion } from "@nitka/protocol";
import { headBelow, parentsOf } from "@nitka/protocol/branch";
import { emptyConversation } from "./initial-state.ts";
import type { Appended, ChatState, Conversation, Failure, RunState } from "./state.ts";
import { without } from "./without.ts";

/** The state with one changed conversation. */
export function changeConversation(
  state: ChatState,
  threadId: string,
  change: (conversation: Conversation) => Conversation,
): ChatState {
  const before = state.conversations[threadId] ?? emptyConversation;
  const after = change(before);
  return after === before ? state : { ...state, conversations: { ...state.conversations, [threadId]: after } };
}

/** Marks the messages as loading, unless cached ones are shown. */
export function startLoadingMessages(conversation: Conversation): Conversation {
  return conversation.load.status === "ready" ? conversation : { ...conversation, load: { status: "loading" } };
}

/** Stores why the messages could not be loaded, unless cached ones are shown. */
export function failLoadingMessages(conversation: Conversation, failure: Failure): Conversation {
  return conversation.load.status === "ready" ? conversation : { ...conversation, load: { status: "failed", failure } };
}

/**
 * Sets the messages to those of the server. Questions of the outbox that the server does not have stay, with their answers. An
 * answer that gets its server id only now keeps its key in the view.
 *
 * @param headId a message of the branch to show; if it is missing or unknown, the last message of the list
 */
export function setMessages(conversation: Conversation, messages: readonly Message[], headId?: string): Conversation {
  const { headId: _, ...rest } = withLearntIds(conversation, messages);
  const stored = new Set(messages.map(({ id }) => id));
  const outbox = rest.outbox.filter((id) => !stored.has(id));
  const kept = rest.messages.filter(
    ({ id, parentId }) => !stored.has(id) && (outbox.includes(id) || outbox.includes(parentId ?? "")),
  );
  const before = new Map(rest.messages.map((message) => [message.id, message]));
  const all = [...messages.map((message) => sameOrNew(before.get(message.id), message)), ...kept];
  const head = headId !== undefined && all.some(({ id }) => id === headId) ? headBelow(all, headId) : all.at(-1)?.id;
  return {
    ...rest,
    load: { status: "ready" },
    messages: all,
    outbox,
    ...(head !== undefined && { headId: head }),
  };
}

/** Begins a run: adds or replaces its answer, and adds its question if the conversation does not have it. */
export function addRun(
  conversation: Conversation,
  run: { readonly question: Message; readonly answer: Message; readonly phase: RunState["phase"] },
): Conversation {
  const { question, answer, phase } = run;
  const isAsked = conversation.messages.some((message) => message.id === question.id);
  return {
    ...conversation,
    messages: withMessage(isAsked ? conversation.messages : [...conversation.messages, question], answer),
    headId: answer.id,
    failures: without(conversation.failures, answer.id),
    run: { questionId: question.id, answerId: answer.id, phase },
  };
}

/** Follows a run that is in progress on the server. The conversation already has its question and its answer. */
export function followRun(
  conversation: Conversation,
  run: { readonly questionId: string; readonly answerId: string },
): Conversation {
  return { ...conversation, headId: run.answerId, run: { ...run, phase: "rejoining" } };
}

/** Sets the phase of the run, if there is one. */
export function setPhase(conversation: Conversation, phase: RunState["phase"]): Conversation {
  const { run } = conversation;
  return run && run.phase !== phase ? { ...conversation, run: { ...run, phase } } : conversation;
}

/** Sets the assistant's own description of its activity. `undefined` or an empty text removes it. */
export function setActivity(conversation: Conversation, activity: string | undefined): Conversation {
  if (!conversation.run) return conversation;
  const { activity: _, ...run } = conversation.run;
  return { ...conversation, run: activity === undefined || activity === "" ? run : { ...run, activity } };
}

/** Stores the newest state of the run's answer, under the server's id once it is known. */
export function writeAnswer(conversation: Conversation, answer: Message, appended: Appended | undefined): Conversation {
  const renamed = renameMessage(conversation, conversation.run?.answerId ?? answer.id, answer.id);
  // The old id, if another question's answer has the new one.
  const id = renamed.run?.answerId ?? answer.id;
  const written = {
    ...renamed,
    messages: withMessage(renamed.messages, id === answer.id ? answer : { ...answer, id }),
  };
  if (!renamed.run) return written;
  const { appended: _, ...run } = renamed.run;
  return { ...written, run: appended === undefined ? run : { ...run, appended } };
}

/** Changes a message if the conversation has it. */
export function changeMessage(
  conversation: Conversation,
  messageId: string,
  change: (message: Message) => Message,
): Conversation {
  return {
    ...conversation,
    messages: conversation.messages.map((message) => (message.id === messageId ? change(message) : message)),
  };
}

/** Ends the run with its settled answer. */
export function endRun(conversation: Conversation, answer: Message, failure?: Failure): Conversation {
  const { run, ...rest } = writeAnswer(conversation, answer, undefined);
  const id = run?.answerId ?? answer.id;
  return failure === undefined ? rest : { ...rest, failures: { ...rest.failures, [id]: failure } };
}

/** Adds suggested questions to an answer that has ended. An answer that is being written again stays as it is. */
export function addSuggestions(
  conversation: Conversation,
  answerId: string,
  suggestions: readonly Suggestion[],
): Conversation {
  return changeMessage(conversation, answerId, (message) =>
    message.status?.type === "running" ? message : { ...message, suggestions },
  );
}

/**
 * Removes a run that never began on the server: its answer, and its question if the outbox has it.
 *
 * @param headId the head before the run
 */
export function withdrawRun(conversation: Conversation, headId: string | undefined): Conversation {
  const { run, headId: _, ...rest } = conversation;
  if (!run) return conversation;
  const isGone = (id: string) => id === run.answerId || (id === run.questionId && rest.outbox.includes(id));
  return {
    ...rest,
    messages: rest.messages.filter(({ id }) => !isGone(id)),
    outbox: rest.outbox.filter((id) => !isGone(id)),
    ...(headId !== undefined && { headId }),
  };
}

/** Adds a question that the backend has not confirmed to the outbox. */
export function addToOutbox(conversation: Conversation, questionId: string): Conversation {
  if (conversation.outbox.includes(questionId)) return conversation;
  return { ...conversation, outbox: [...conversation.outbox, questionId] };
}

/** Removes a question that the backend has confirmed from the outbox. */
export function removeFromOutbox(conversation: Conversation, questionId: string): Conversation {
  if (!conversation.outbox.includes(questionId)) return conversation;
  return { ...conversation, outbox: conversation.outbox.filter((id) => id !== questionId) };
}

/**
 * Gives a message the id that the server knows it by. Its key, its place and its children stay, so that the view keeps
 * its element.
 *
 * @example
 * renameMessage({ messages: [q, { id: "local", parentId: "q" }], keys: {}, headId: "local", … }, "local", "m1")
 *   // { messages: [q, { id: "m1", parentId: "q" }], keys: { m1: "local" }, headId: "m1", … }
 *
 * // The question has an answer of that id already: that one stays, and the local one goes.
 * renameMessage({ messages: [q, { id: "m1", parentId: "q" }, { id: "local", parentId: "q" }], … }, "local", "m1")
 *   // { messages: [q, { id: "m1", parentId: "q" }], … }
 *
 * // Another question has an answer of that id: nothing changes, so that a backend that repeats an id loses no message.
 */
export function renameMessage(conversation: Conversation, from: string, to: string): Conversation {
  if (from === to) return conversation;
  const { messages, keys, headId, run } = conversation;
  const isTaken = messages.some(({ id }) => id === to);
  const parents = parentsOf(messages);
  if (isTaken && parents.get(to) !== parents.get(from)) return conversation;
  const renamed = (id: string) => (id === from ? to : id);
  return {
    ...conversation,
    messages: messages.flatMap((message) => {
      if (message.id === from) return isTaken ? [] : [{ ...message, id: to }];
      return message.parentId === from ? [{ ...message, parentId: to }] : [message];
    }),
    keys: isTaken ? without(keys, from) : { ...without(keys, from), [to]: keys[from] ?? from },
    ...(headId !== undefined && { headId: renamed(headId) }),
    ...(run && { run: { ...run, answerId: renamed(run.answerId) } }),
  };
}

/** Renames answers whose server ids were unknown. An unknown answer to the same question is taken for the same answer. */
function withLearntIds(conversation: Conversation, messages: readonly Message[]): Conversation {
  const stored = new Set(messages.map(({ id }) => id));
  const ours = new Set(conversation.messages.map(({ id }) => id));
  return conversation.messages.reduce((renamed, { id, role, parentId }) => {
    if (role !== "assistant" || stored.has(id)) return renamed;
    const answer = messages.findLast(
      (message) => message.role === "assistant" && message.parentId === parentId && !ours.has(message.id),
    );
    return answer ? renameMessage(renamed, id, answer.id) : renamed;
  }, conversation);
}

/** The earlier object if both are equal. The view compares by identity, so only changed messages render. */
function sameOrNew(before: Message | undefined, after: Message): Message {
  return before && JSON.stringify(before) === JSON.stringify(after) ? before : after;
}

/** Replaces the message with the same id, or appends the message. */
function withMessage(messages: readonly Message[], message: Message): readonly Message[] {
  const index = messages.findLastIndex(({ id }) => id === message.id);
  return index < 0 ? [...messages, message] : messages.with(index, message);
}
