import type { Message } from "@nitka/protocol";
import { parentsOf } from "@nitka/protocol/branch";
import { partsOf } from "@nitka/protocol/message";
import type { MessageNode, Owner, Storage } from "../storage/storage.ts";
import { messagePages } from "./message-pages.ts";

export interface Branch {
  readonly owner: Owner;
  readonly threadId: string;
  readonly tree: readonly MessageNode[];
  /** The last message of the branch; `null` for a branch with no message. */
  readonly endId: string | null;
}

/**
 * Reads a branch from its end upwards, page by page, until there is as much text as a model may be sent. Older messages
 * and other branches are not read.
 *
 * @param chars characters of text that are enough; `null` reads the whole branch
 * @returns the messages that were read, parents before children
 */
export async function readBranch(
  messages: Storage["messages"],
  { owner, threadId, tree, endId }: Branch,
  chars: number | null,
): Promise<readonly Message[]> {
  const read: (readonly Message[])[] = [];
  let left = chars ?? Infinity;
  for (const page of messagePages(upwardsFrom(tree, endId))) {
    if (left <= 0) break;
    const above = await messages.read(owner, threadId, page);
    read.unshift(above);
    left -= above.reduce((sum, message) => sum + textChars(message), 0);
  }
  return read.flat();
}

function upwardsFrom(tree: readonly MessageNode[], endId: string | null): readonly MessageNode[] {
  const nodes = new Map(tree.map((node) => [node.id, node]));
  const parents = parentsOf(tree);
  const branch: MessageNode[] = [];
  for (let id = endId; id !== null; id = parents.get(id) ?? null) {
    const node = nodes.get(id);
    if (node) branch.push(node);
  }
  return branch;
}

/** At least this much of the message goes to the model, so that what is read is never too little. */
function textChars(message: Message): number {
  return partsOf(message).reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);
}
