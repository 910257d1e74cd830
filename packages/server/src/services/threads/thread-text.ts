import type { Message } from "@nitka/protocol";
import type { MessageNode, Owner, Storage } from "../../storage/storage.ts";
import { isLarge, messagePages } from "./message-pages.ts";
import type { EventLoopTurns } from "../../event-loop-turns.ts";
import { shownMessage } from "../tools/tool-views.ts";
import type { ToolViews } from "../tools/tool-views.ts";

export interface ThreadTextOptions {
  readonly messages: Pick<Storage["messages"], "read" | "text">;
  readonly owner: Owner;
  readonly threadId: string;
  /** The current state of the answers that are being written. */
  readonly running: () => readonly Message[];
  readonly toolViews: ToolViews | undefined;
  /** Shared by all readers, so that each turn of the event loop serves one of them. */
  readonly turns: EventLoopTurns;
}

/** The number of characters of a piece. */
const PIECE_CHARS = 65_536;

/** The messages of a thread as the text of a JSON array, in pieces of bounded size, in the tree's order. */
export async function* threadText(tree: readonly MessageNode[], options: ThreadTextOptions): AsyncGenerator<string> {
  const { messages, owner, threadId, toolViews, turns } = options;
  const nodes = new Map(tree.map((node) => [node.id, node]));
  let before = "[";
  for (const page of messagePages(tree)) {
    const large = page.map((id) => nodes.get(id)).find((node) => node && isLarge(node));
    if (large || before !== "[") await turns.next();
    // A large question is read in pieces. A large answer is read at once, because it could change between pieces.
    if (large?.role === "user") {
      for await (const text of messages.text(owner, threadId, large.id)) {
        yield* inPieces(before + text);
        before = "";
        await turns.next();
      }
      before ||= ",";
      continue;
    }
    const read = new Map((await messages.read(owner, threadId, page)).map((message) => [message.id, message]));
    const running = options.running();
    const texts = page.flatMap((id) => {
      const message = read.get(id);
      return message ? [JSON.stringify(shownMessage(asWritten(message, running), toolViews))] : [];
    });
    if (texts.length === 0) continue;
    yield* inPieces(before + texts.join(","));
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

/**
 * The same pieces, after the first one was read. An earlier failure becomes an error response instead of a broken
 * stream.
 */
export async function withFirstPiece(pieces: AsyncGenerator<string>): Promise<AsyncIterable<string>> {
  const first = await pieces.next();
  async function* all(): AsyncGenerator<string> {
    if (first.done) return;
    yield first.value;
    yield* pieces;
  }
  return all();
}

/** A running answer with the content that was written since its last checkpoint. */
function asWritten(message: Message, running: readonly Message[]): Message {
  if (message.status?.type !== "running") return message;
  const answer = running.find(({ id }) => id === message.id);
  if (!answer) return message;
  const { content, suggestions } = answer;
  return { ...message, content, ...(suggestions && { suggestions }) };
}

function* inPieces(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = start + PIECE_CHARS;
    // A piece does not end inside a surrogate pair: each half would be encoded as U+FFFD.
    const whole = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
    yield text.slice(start, whole);
    start = whole;
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd8_00 && code <= 0xdb_ff;
}
