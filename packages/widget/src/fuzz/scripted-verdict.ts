/** Finds errors in a life by comparing the widget's final state with what the backend has stored. */
import { textOf } from "@nitka/protocol/message";
import type { ChatState, Conversation } from "../store/state.ts";
import { createVisibleBranch } from "../store/visible-branch.ts";
import type { ScriptedBackend } from "./scripted-backend.ts";
import type { VisitorApp } from "./scripted-page.ts";
import type { Asked, Sent } from "./scripted-steps.ts";

/** The only title that the scripted assistant gives. */
const assistantTitle = "Название";

/** What still waits or runs at the end, when everything should be at rest. */
export function unsettled({ threads, conversations, drafts }: ChatState): readonly string[] {
  const wrongs: string[] = [];
  if (threads.load.status === "loading" || threads.older.status === "loading") wrongs.push("the list is still loading");
  for (const [threadId, { run, load, messages }] of Object.entries(conversations)) {
    if (run) wrongs.push(`${threadId} still has a run: ${run.phase}`);
    if (load.status === "loading") wrongs.push(`the history of ${threadId} is still loading`);
    for (const { id, status } of messages)
      if (status?.type === "running") wrongs.push(`${id} of ${threadId} still runs`);
  }
  for (const [threadId, draft] of Object.entries(drafts)) {
    if (draft.status === "waiting") wrongs.push(`the draft of ${threadId} still waits`);
    if (draft.attachments.some(({ status }) => status === "uploading"))
      wrongs.push(`a file of ${threadId} is still sent`);
  }
  return wrongs;
}

/** The differences between the state and the backend. */
export function untrue(
  { threads, conversations }: ChatState,
  backend: ScriptedBackend,
  isPlain: boolean,
): readonly string[] {
  const wrongs: string[] = [];
  for (const { threadId } of threads.items) {
    const conversation = conversations[threadId];
    if (conversation?.load.status !== "ready" || !backend.threadIds().includes(threadId)) continue;
    const stored = new Map(backend.messagesOf(threadId).map((message) => [message.id, message]));
    for (const message of conversation.messages) {
      const known = stored.get(message.id);
      if (known && textOf(known) !== textOf(message) && message.status?.type !== "incomplete") {
        wrongs.push(`${message.id} of ${threadId} reads «${textOf(message)}», and is «${textOf(known)}»`);
      }
      if (!known && message.role === "user" && !conversation.outbox.includes(message.id)) {
        wrongs.push(`the question ${message.id} of ${threadId} is nowhere but here, and said to be heard`);
      }
    }
    if (!isPlain) wrongs.push(...misplaced(threadId, conversation, backend));
  }
  return wrongs;
}

/** Messages of the open thread that are not in view although the thread has one branch, so that all of them should be. */
export function hidden(state: ChatState, backend: ScriptedBackend): readonly string[] {
  const { activeId = "" } = state.threads;
  const conversation = state.conversations[activeId];
  if (conversation?.load.status !== "ready" || !backend.threadIds().includes(activeId)) return [];
  const stored = backend.messagesOf(activeId);
  const parents = conversation.messages.map(({ parentId = null }) => parentId);
  if (new Set(parents).size < parents.length || conversation.outbox.length > 0) return [];
  const shown = new Set(createVisibleBranch()(conversation).map(({ message }) => message.id));
  // Without a config the widget treats the backend as a plain one, from which it only learns an answer's id through the stream.
  const learnsIds = state.config.features?.resume === true;
  return stored.flatMap(({ id, role }) =>
    shown.has(id) || (role === "assistant" && !learnsIds) ? [] : [`${id} of ${activeId} is not in view`],
  );
}

/** Threads of the list whose title from the visitor differs from the backend's or is missing. */
export function misnamed({ threads }: ChatState, backend: ScriptedBackend): readonly string[] {
  return threads.items.flatMap(({ threadId, title = "" }) =>
    // The assistant's own title may arrive while the visitor's is being sent.
    !backend.threadIds().includes(threadId) ||
    backend.titleOf(threadId) === title ||
    [title, backend.titleOf(threadId)].includes(assistantTitle)
      ? []
      : [`${threadId} is named «${title}» here, and «${backend.titleOf(threadId)}» there`],
  );
}

/** Messages whose parent here differs from the backend's. */
function misplaced(threadId: string, { messages }: Conversation, backend: ScriptedBackend): readonly string[] {
  const stored = new Map(backend.messagesOf(threadId).map((message) => [message.id, message.parentId ?? null]));
  return messages.flatMap(({ id, parentId = null }) =>
    // An answer whose id was never sent cannot be compared.
    stored.has(id) && stored.get(id) !== parentId && (parentId === null || stored.has(parentId))
      ? [`${id} of ${threadId} hangs on ${parentId} here, and on ${stored.get(id)} there`]
      : [],
  );
}

export async function judgeSent(
  { tag, given, place, outcome }: Sent,
  backend: ScriptedBackend,
  posted: ReadonlySet<string>,
  isHostAlone: boolean,
): Promise<readonly string[]> {
  const found = backend.questions.filter(({ text }) => text.includes(tag));
  const where = found.map(({ threadId }) => threadId).join(", ") || "nowhere";
  if (outcome instanceof Error || outcome === undefined) {
    const may = found.every(({ messageId }) => posted.has(messageId)) ? 1 : 0;
    return found.length > may ? [`${tag} was rejected (${outcome?.message}), and is in ${where}`] : [];
  }
  const [only] = found;
  if (!only || found.length > 1) return [`${tag} was accepted, and is in ${where}`];
  const wrongs: string[] = [];
  if (only.threadId !== outcome.threadId || only.messageId !== outcome.messageId) {
    wrongs.push(
      `${tag} was accepted as ${outcome.messageId} of ${outcome.threadId}, and is ${only.messageId} of ${where}`,
    );
  }
  const expected = given ?? (isHostAlone ? await place : undefined);
  if (expected !== undefined && only.threadId !== expected)
    wrongs.push(`${tag} belongs to ${expected}, and is in ${where}`);
  return wrongs;
}

/** Questions of the host that reached their thread in another order than the order of sending. */
export function disordered(sent: readonly Sent[], backend: ScriptedBackend): readonly string[] {
  const places = new Map(backend.questions.map(({ messageId }, index) => [messageId, index]));
  const last = new Map<string, number>();
  return sent.flatMap(({ tag, outcome }) => {
    if (!outcome || outcome instanceof Error) return [];
    const mine = places.get(outcome.messageId) ?? 0;
    const before = last.get(outcome.threadId) ?? -1;
    last.set(outcome.threadId, mine);
    return mine < before ? [`${tag} has overtaken one that was sent to ${outcome.threadId} before it`] : [];
  });
}

export function judgeAsked(question: Asked, app: VisitorApp | undefined, backend: ScriptedBackend): readonly string[] {
  const { tag, threadId, isOverwritten } = question;
  const found = backend.questions.filter(({ text }) => text.includes(tag));
  if (found.length > 1) return [`${tag} is in ${found.map((one) => one.threadId).join(", ")}`];
  if (found[0])
    return found[0].threadId === threadId ? [] : [`${tag} belongs to ${threadId}, and is in ${found[0].threadId}`];
  if (isOverwritten || app !== question.app) return [];
  const state = app.store.get();
  if (!state.threads.items.some((thread) => thread.threadId === threadId)) return [];
  const { messages = [], edit } = state.conversations[threadId] ?? {};
  const draft = state.drafts[threadId]?.text ?? "";
  // The host has replaced a draft that was still waiting.
  const replaced = [draft, ...backend.questions.filter((one) => one.threadId === threadId).map(({ text }) => text)];
  if (replaced.some((text) => text.includes("«draft"))) return [];
  const kept = [draft, edit?.text ?? "", ...messages.map((message) => textOf(message))];
  return kept.some((text) => text.includes(tag)) ? [] : [`${tag} of ${threadId} is lost`];
}
