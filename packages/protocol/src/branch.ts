import type { Message } from "./message.ts";

/** A message and where it stands among its siblings: branch `number` of `count`, from 1. */
export interface Branch {
  readonly message: Message;
  readonly number: number;
  readonly count: number;
  readonly siblings: readonly string[];
}

/** Parents by message id: `null` for a first message. A message without `parentId` hangs on the one before it. */
export function parentsOf(messages: readonly Message[]): ReadonlyMap<string, string | null> {
  const parents = new Map<string, string | null>();
  let previous: string | null = null;
  for (const message of messages) {
    const named = message.parentId;
    // A parent that the list does not hold (yet) would lose the message: it hangs on the one before it instead.
    const known = named === null || (named !== undefined && parents.has(named));
    parents.set(message.id, known ? named : previous);
    previous = message.id;
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
  const byId = new Map<string, Message>();
  const children = new Map<string | null, string[]>();
  for (const message of messages) {
    if (byId.has(message.id)) continue;
    byId.set(message.id, message);
    const parent = parents.get(message.id) ?? null;
    const siblings = children.get(parent);
    if (siblings) siblings.push(message.id);
    else children.set(parent, [message.id]);
  }
  const branch: Branch[] = [];
  let id: string | null | undefined = headId !== undefined && byId.has(headId) ? headId : messages.at(-1)?.id;
  while (id != null) {
    const message = byId.get(id);
    if (!message) break;
    const parent: string | null = parents.get(id) ?? null;
    const siblings: readonly string[] = children.get(parent) ?? [];
    branch.push({ message, number: siblings.indexOf(id) + 1, count: siblings.length, siblings });
    id = parent;
  }
  return branch.toReversed();
}

/** The newest end below a message: where to go when its branch is chosen. The newest child is followed each time. */
export function headBelow(messages: readonly Message[], messageId: string): string {
  const parents = parentsOf(messages);
  const newestChild = new Map<string | null, string>();
  for (const message of messages) newestChild.set(parents.get(message.id) ?? null, message.id);
  let head = messageId;
  for (let child = newestChild.get(head); child !== undefined; child = newestChild.get(head)) head = child;
  return head;
}
