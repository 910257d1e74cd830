import type { Message } from "@nitka/protocol";
import { parentsOf } from "@nitka/protocol/branch";
import { windowStart } from "../history-window.ts";
import type { MessageNode, Owner, Storage } from "../storage/storage.ts";
import { messagePages } from "./message-pages.ts";

export interface Branch {
  readonly owner: Owner;
  readonly threadId: string;
  readonly tree: readonly MessageNode[];
  /** The last message of the branch; `null` for a branch with no message. */
  readonly endId: string | null;
}

/** Most letters take one or two bytes: so many are read for each character that a model may be sent. */
const BYTES_PER_CHAR = 2;

/**
 * Reads a branch as far back as a model may be sent it, page by page. Older messages and other branches are not read.
 * Where it begins comes from the stored sizes alone and stays the same for many turns, as in the model's own window.
 *
 * @param chars characters that a model may be sent; `null` reads the whole branch
 * @returns the messages that were read, parents before children
 */
export async function readBranch(
  messages: Storage["messages"],
  { owner, threadId, tree, endId }: Branch,
  chars: number | null,
): Promise<readonly Message[]> {
  const nodes = upwardsFrom(tree, endId).toReversed();
  const wanted = chars === null ? nodes : newest(nodes, chars * BYTES_PER_CHAR);
  const read: Message[] = [];
  for (const page of messagePages(wanted)) read.push(...(await messages.read(owner, threadId, page)));
  return read;
}

/** The exchanges that have room, each from its question on. */
function newest(nodes: readonly MessageNode[], room: number): readonly MessageNode[] {
  const exchanges: MessageNode[][] = [];
  for (const node of nodes) {
    if (node.role === "user" || exchanges.length === 0) exchanges.push([node]);
    else exchanges.at(-1)?.push(node);
  }
  const sizes = exchanges.map((exchange) => ({
    question: exchange[0]?.bytes ?? 0,
    whole: exchange.reduce((sum, { bytes }) => sum + bytes, 0),
  }));
  // The question that is asked now comes last. Its own size is the model's to look at.
  return exchanges.slice(windowStart([...sizes, { question: 0, whole: 0 }], room)).flat();
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
