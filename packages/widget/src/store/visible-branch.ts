import type { Message } from "@nitka/protocol";
import { branchTo } from "@nitka/protocol/branch";
import type { Branch } from "@nitka/protocol/branch";
import type { Conversation } from "./state.ts";

/**
 * Creates a memoized selector of the shown branch: its messages from the first on, each with its number and count among
 * its siblings. While an answer grows, every other entry stays the same object and the tree is not walked again. It
 * remembers one conversation, so each view creates its own.
 *
 * @example
 * const visibleBranch = createVisibleBranch();
 * visibleBranch(conversation).map(({ message, number, count }) => …)
 */
export function createVisibleBranch(): (conversation: Pick<Conversation, "messages" | "headId">) => readonly Branch[] {
  let messages: readonly Message[] = [];
  let headId: string | undefined;
  let branch: readonly Branch[] = [];
  return (conversation) => {
    if (conversation.messages === messages && conversation.headId === headId) return branch;
    const grown = conversation.headId === headId ? withNewContent(branch, messages, conversation.messages) : undefined;
    branch = grown ?? keepSame(branch, branchTo(conversation.messages, conversation.headId));
    ({ messages, headId } = conversation);
    return branch;
  };
}

/**
 * The branch with the messages' new content, if ids and parents are unchanged. It processes all messages of the thread at each
 * write of an answer, so it compares by identity and copies once.
 *
 * @returns `undefined` if the tree has changed
 */
function withNewContent(
  branch: readonly Branch[],
  before: readonly Message[],
  after: readonly Message[],
): readonly Branch[] | undefined {
  if (before.length !== after.length) return undefined;
  let grown: Branch[] | undefined;
  for (let index = after.length - 1; index >= 0; index -= 1) {
    const old = before[index];
    const message = after[index];
    if (!message || old === message) continue;
    if (old?.id !== message.id || old.parentId !== message.parentId) return undefined;
    const place = branch.findLastIndex((entry) => entry.message === old);
    const entry = branch[place];
    if (!entry) continue;
    grown ??= [...branch];
    grown[place] = { ...entry, message };
  }
  return grown ?? branch;
}

/** Reuses the objects of entries that are equal to those before, so that the view can compare by identity. */
function keepSame(before: readonly Branch[], after: readonly Branch[]): readonly Branch[] {
  return after.map((entry, index) => {
    const old = before[index];
    const same = old?.message === entry.message && old.number === entry.number && old.count === entry.count;
    return same && old.siblings.join() === entry.siblings.join() ? old : entry;
  });
}
