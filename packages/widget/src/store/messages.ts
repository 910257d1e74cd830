/** What happens to a thread's messages: its history, and the runs that add to it. */
import type { Message } from "@nitka/protocol";
import { headBelow, parentsOf } from "@nitka/protocol/branch";
import { emptyConversation } from "./initial-state.ts";
import type { Appended, ChatState, Conversation, Failure, RunState } from "./state.ts";

/** The state with one conversation changed. */
export function changeConversation(
  state: ChatState,
  threadId: string,
  change: (conversation: Conversation) => Conversation,
): ChatState {
  const before = state.conversations[threadId] ?? emptyConversation;
  const after = change(before);
  return after === before ? state : { ...state, conversations: { ...state.conversations, [threadId]: after } };
}

/** History is on its way. What is cached is shown meanwhile. */
export function beginHistory(conversation: Conversation): Conversation {
  const { failure: _, ...rest } = conversation;
  return { ...rest, history: conversation.history === "ready" ? "ready" : "loading" };
}

export function failHistory(conversation: Conversation, failure: Failure): Conversation {
  return conversation.history === "ready" ? conversation : { ...conversation, history: "failed", failure };
}

/**
 * The messages as the server has them. Questions that never reached it stay, with their answers; an answer whose name on
 * the server we had not learnt keeps its place in the view.
 *
 * @param headId a message of the branch to show; the list's last message unless it is given and known
 */
export function setHistory(conversation: Conversation, messages: readonly Message[], headId?: string): Conversation {
  const { failure: _, headId: __, ...rest } = withLearntNames(conversation, messages);
  const known = new Set(messages.map((message) => message.id));
  const kept = new Set(rest.unsent.filter((id) => !known.has(id)));
  const unsent = rest.messages.filter(
    ({ id, parentId }) => !known.has(id) && (kept.has(id) || (parentId != null && kept.has(parentId))),
  );
  const before = new Map(rest.messages.map((message) => [message.id, message]));
  const all = [...messages.map((message) => sameOrNew(before.get(message.id), message)), ...unsent];
  const head = headId !== undefined && all.some(({ id }) => id === headId) ? headBelow(all, headId) : all.at(-1)?.id;
  return {
    ...rest,
    history: "ready",
    messages: all,
    unsent: [...kept],
    ...(head === undefined ? {} : { headId: head }),
  };
}

/** A run begins: its answer, empty yet, and the question unless it stands there already. */
export function beginRun(
  conversation: Conversation,
  run: { readonly question: Message; readonly answer: Message; readonly phase: RunState["phase"] },
): Conversation {
  const { question, answer, phase } = run;
  const asked = conversation.messages.some((message) => message.id === question.id);
  const { failure: _, edit: __, ...rest } = conversation;
  return {
    ...rest,
    messages: put(asked ? conversation.messages : [...conversation.messages, question], answer),
    headId: answer.id,
    failures: without(conversation.failures, answer.id),
    run: { questionId: question.id, answerId: answer.id, phase },
  };
}

export function setPhase(conversation: Conversation, phase: RunState["phase"]): Conversation {
  const { run } = conversation;
  return run && run.phase !== phase ? { ...conversation, run: { ...run, phase } } : conversation;
}

export function setActivity(conversation: Conversation, activity: string | undefined): Conversation {
  if (!conversation.run) return conversation;
  const { activity: _, ...run } = conversation.run;
  return { ...conversation, run: activity === undefined || activity === "" ? run : { ...run, activity } };
}

/** The answer as far as it has come. */
export function writeAnswer(conversation: Conversation, answer: Message, appended: Appended | undefined): Conversation {
  const renamed = renameMessage(conversation, conversation.run?.answerId ?? answer.id, answer.id);
  const { answerId: id } = renamed.run ?? { answerId: answer.id };
  const grown = { ...renamed, messages: put(renamed.messages, id === answer.id ? answer : { ...answer, id }) };
  if (!renamed.run) return grown;
  const { appended: _, ...run } = renamed.run;
  return { ...grown, run: appended === undefined ? run : { ...run, appended } };
}

/** The run is over: the answer is as it is. */
export function endRun(conversation: Conversation, answer: Message, failure?: Failure): Conversation {
  const { run: _, ...rest } = writeAnswer(conversation, answer, undefined);
  return failure === undefined ? rest : { ...rest, failures: { ...rest.failures, [answer.id]: failure } };
}

/** Takes a run back as if it had never begun: a question that the backend refused to hear. */
export function revokeRun(conversation: Conversation, headId: string | undefined): Conversation {
  const { run, headId: _, ...rest } = conversation;
  if (!run) return conversation;
  const gone = new Set([run.answerId, ...(rest.unsent.includes(run.questionId) ? [run.questionId] : [])]);
  return {
    ...rest,
    messages: rest.messages.filter((message) => !gone.has(message.id)),
    unsent: rest.unsent.filter((id) => !gone.has(id)),
    ...(headId === undefined ? {} : { headId }),
  };
}

/** Whether a question has reached the backend. */
export function setUnsent(conversation: Conversation, questionId: string, unsent: boolean): Conversation {
  if (conversation.unsent.includes(questionId) === unsent) return conversation;
  const others = conversation.unsent.filter((id) => id !== questionId);
  return { ...conversation, unsent: unsent ? [...others, questionId] : others };
}

/**
 * Gives a message the name that the server knows it by, in place: its key, its children and its place stay. A name that
 * an answer to another question bears already is no name: a backend that gives one twice must not lose us a message.
 */
export function renameMessage(conversation: Conversation, from: string, to: string): Conversation {
  if (from === to) return conversation;
  const rename = (id: string) => (id === from ? to : id);
  const stranger = conversation.messages.find((message) => message.id === to);
  const parents = stranger && parentsOf(conversation.messages);
  if (parents && parents.get(to) !== parents.get(from)) return conversation;
  // The server may tell of an answer that is here already: then that one is written, and the stand-in goes.
  const taken = stranger !== undefined;
  const { [from]: key = from, ...keys } = conversation.keys;
  const { headId, run } = conversation;
  return {
    ...conversation,
    messages: conversation.messages.flatMap((message) => {
      if (message.id === from) return taken ? [] : [{ ...message, id: to }];
      return message.parentId === from ? [{ ...message, parentId: to }] : [message];
    }),
    keys: taken ? keys : { ...keys, [to]: key },
    ...(headId !== undefined && { headId: rename(headId) }),
    ...(run && { run: { ...run, answerId: rename(run.answerId) } }),
  };
}

/** Gives the answers whose names on the server we have not learnt the names that it has for them. */
function withLearntNames(conversation: Conversation, messages: readonly Message[]): Conversation {
  const known = new Set(messages.map(({ id }) => id));
  const ours = new Set(conversation.messages.map(({ id }) => id));
  return conversation.messages.reduce((named, { id, role, parentId }) => {
    if (role !== "assistant" || known.has(id)) return named;
    const answer = messages.findLast(
      (message) => message.role === "assistant" && message.parentId === parentId && !ours.has(message.id),
    );
    return answer ? renameMessage(named, id, answer.id) : named;
  }, conversation);
}

/** A message that says the same as before is the same object: the view has nothing to do about it. */
function sameOrNew(before: Message | undefined, after: Message): Message {
  return before && JSON.stringify(before) === JSON.stringify(after) ? before : after;
}

/** The messages with this one in its place, or at the end. */
function put(messages: readonly Message[], message: Message): readonly Message[] {
  const index = messages.findLastIndex((candidate) => candidate.id === message.id);
  return index < 0 ? [...messages, message] : messages.with(index, message);
}

function without<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  const { [key]: _, ...rest } = record;
  return rest;
}
