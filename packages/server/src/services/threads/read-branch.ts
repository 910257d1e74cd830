import type { Message } from "@nitka/protocol";
import { pathTo } from "@nitka/protocol/branch";
import { windowStart } from "../../history-window.ts";
import type { MessageNode, Owner, Storage } from "../../storage/storage.ts";
import { messagePages } from "./message-pages.ts";

export interface Branch {
  readonly owner: Owner;
  readonly threadId: string;
  readonly tree: readonly MessageNode[];
  /** The last message of the branch; `null` for a branch without messages. */
  readonly endId: string | null;
}

/** UTF-8 takes one or two bytes for most letters, so this many bytes are read per character of the limit. */
const BYTES_PER_CHAR = 2;

/**
 * Reads the end of a branch, as much as a model may be sent. Older messages and other branches are not read. The first
 * message is chosen by the stored sizes, and stays the same for many questions: see `windowStart`.
 *
 * @param chars the most characters that the model is sent; `null` reads the whole branch
 * @returns the messages, parents before children
 */
export async function readBranch(
  messages: Storage["messages"],
  { owner, threadId, tree, endId }: Branch,
  chars: number | null,
): Promise<readonly Message[]> {
  const nodes = pathTo(tree, endId);
  const window = chars === null ? nodes : newest(nodes, chars * BYTES_PER_CHAR);
  const read: Message[] = [];
  for (const page of messagePages(window)) read.push(...(await messages.read(owner, threadId, page)));
  return read;
}

/** The last exchanges that fit. An exchange is a question and the messages after it, up to the next question. */
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
  // The current question comes after these. The model checks its size, so it counts as 0 here.
  return exchanges.slice(windowStart([...sizes, { question: 0, whole: 0 }], room)).flat();
}
