import type { Message } from "./message.ts";

/** A message and where it stands among its siblings: branch `number` of `count`, from 1. */
export interface Branch {
  readonly message: Message;
  readonly number: number;
  readonly count: number;
  readonly siblings: readonly string[];
}

/** Where a message stands in its thread. */
export type MessagePlace = Pick<Message, "id" | "parentId">;

/** Parents by message id: `null` for a first message. A message without `parentId` hangs on the one before it. */
export function parentsOf(messages: readonly MessagePlace[]): ReadonlyMap<string, string | null> {
  const parents = new Map<string, string | null>();
  let previous: string | null = null;
  for (const { id, parentId = previous } of messages) {
    // Of two messages with one id the first counts: a second parent could close a ring.
    if (parents.has(id)) continue;
    // A parent that the list does not hold (yet) would lose the message: it hangs on the one before it instead.
    parents.set(id, parentId === null || parents.has(parentId) ? parentId : previous);
    previous = id;
  }
  return parents;
}

/**
 * The branch that ends in `headId`, from the first message to the last, each with its place among its siblings.
 *
 * @param headId the last message of the branch to show; an unknown one gives the list's own last message
 */
export function branchTo(messages: readonly Message[], headId: string | undefined): readonly Branch[] {
  const parents = parentsOf(messages);
  const children = Map.groupBy(parents.keys(), (id) => parents.get(id));
  const byId = new Map<string | null | undefined, Message>(messages.map((message) => [message.id, message]));
  // A list may put the branch that is to be shown last: dates tell the order in which siblings came. One without is new.
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

/** The newest end below a message: where to go when its branch is chosen. The newest child is followed each time. */
export function headBelow(messages: readonly MessagePlace[], messageId: string): string {
  const newestChild = new Map([...parentsOf(messages)].map(([id, parent]) => [parent, id]));
  let head = messageId;
  for (let child = newestChild.get(head); child !== undefined; child = newestChild.get(head)) head = child;
  return head;
}
