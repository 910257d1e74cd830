import type { Message } from "./message.ts";

/** A message of a branch with its place among its siblings: number `number` of `count`, counted from 1. */
export interface Branch {
  readonly message: Message;
  readonly number: number;
  readonly count: number;
  /** The ids of all siblings in the order in which they were written, including the message's own. */
  readonly siblings: readonly string[];
}

/** The fields that place a message in the tree of its thread. */
export type MessagePlace = Pick<Message, "id" | "parentId">;

/**
 * The parent of each message by the message's id; `null` for a first message.
 *
 * The list need not be a valid tree. A message without `parentId`, or whose parent is not earlier in the list, gets the
 * message before it as its parent. Of two messages with the same id, the second is skipped. So no message is lost and
 * no cycle is possible.
 *
 * @example
 * parentsOf([{ id: "q1" }, { id: "a1" }]) // q1 → null, a1 → q1
 * parentsOf([{ id: "q1", parentId: null }, { id: "a1", parentId: "q1" }, { id: "a2", parentId: "q1" }]) // a1 → q1, a2 → q1
 * parentsOf([{ id: "q1", parentId: null }, { id: "a1", parentId: "lost" }]) // a1 → q1
 */
export function parentsOf(messages: readonly MessagePlace[]): ReadonlyMap<string, string | null> {
  const parents = new Map<string, string | null>();
  let previous: string | null = null;
  for (const { id, parentId = previous } of messages) {
    if (parents.has(id)) continue;
    parents.set(id, parentId === null || parents.has(parentId) ? parentId : previous);
    previous = id;
  }
  return parents;
}

/**
 * The branch that ends with the message `headId`, from the first message to the last, each with its place among its
 * siblings.
 *
 * @param headId default, also for an unknown id: the last message of the list
 *
 * @example
 * const messages = [
 *   { id: "q1", parentId: null }, { id: "a1", parentId: "q1" }, { id: "a2", parentId: "q1" }, // a1 was regenerated as a2
 * ];
 * branchTo(messages, "a1") // q1 (1 of 1), a1 (1 of 2)
 * branchTo(messages, undefined) // q1 (1 of 1), a2 (2 of 2)
 */
export function branchTo(messages: readonly Message[], headId: string | undefined): readonly Branch[] {
  const parents = parentsOf(messages);
  const children = Map.groupBy(parents.keys(), (id) => parents.get(id));
  const byId = new Map<string | null | undefined, Message>(messages.map((message) => [message.id, message]));
  // Siblings are sorted by date, since a list may end with the shown branch. A message without a date counts as the
  // newest.
  const timeOf = (id: string) => Date.parse(byId.get(id)?.createdAt ?? "") || Infinity;
  const branch: Branch[] = [];
  let message = byId.get(headId) ?? messages.at(-1);
  while (message) {
    const parent = parents.get(message.id);
    const siblings = (children.get(parent) as string[]).toSorted((a, b) => timeOf(a) - timeOf(b));
    branch.push({ message, number: siblings.indexOf(message.id) + 1, count: siblings.length, siblings });
    message = byId.get(parent);
  }
  return branch.toReversed();
}

/**
 * The last message of the branch to show when the visitor chooses `messageId`: follows the newest child down to a
 * message without children.
 *
 * @example
 * // q1 has the answers a1 and a2; a2 has the question q2
 * headBelow(messages, "q1") // "q2"
 * headBelow(messages, "a1") // "a1"
 */
export function headBelow(messages: readonly MessagePlace[], messageId: string): string {
  const newestChild = new Map([...parentsOf(messages)].map(([id, parent]) => [parent, id]));
  let head = messageId;
  while (newestChild.has(head)) head = newestChild.get(head) as string;
  return head;
}

/**
 * The messages from the first one to `endId`, in the order of the list; none for an unknown id and for `null`.
 *
 * @example
 * // q1 has the answers a1 and a2
 * pathTo(messages, "a2") // q1, a2
 */
export function pathTo<Place extends MessagePlace>(messages: readonly Place[], endId: string | null): readonly Place[] {
  const parents = parentsOf(messages);
  const path = new Set<string>();
  for (let id = endId; id !== null; id = parents.get(id) ?? null) path.add(id);
  return messages.filter(({ id }) => path.has(id));
}

/**
 * The list with the last message of the branch of `messageId` at its end, where a client looks for the branch to show.
 * Parents stay before children. An unknown id and `null` change nothing.
 */
export function endingIn<Place extends MessagePlace>(
  messages: readonly Place[],
  messageId: string | null,
): readonly Place[] {
  if (messageId === null || messageId === messages.at(-1)?.id) return messages;
  const endId = headBelow(messages, messageId);
  const end = messages.find(({ id }) => id === endId);
  return end && end !== messages.at(-1) ? [...messages.filter((message) => message !== end), end] : messages;
}
