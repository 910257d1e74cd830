import type { Message } from "@nitka/protocol";
import type { MessageNode, Owner, Storage } from "../storage/storage.ts";
import { isLarge, messagePages } from "./message-pages.ts";
import type { Turns } from "./turns.ts";

export interface ThreadTextOptions {
  readonly messages: Pick<Storage["messages"], "read" | "text">;
  readonly owner: Owner;
  readonly threadId: string;
  /** The answers that are being written, as far as they are. */
  readonly running: () => readonly Message[];
  /** Shared by all readers: else those who come together would be served in one turn of the event loop. */
  readonly turns: Turns;
}

/** Characters that go to a reader at once. */
const PIECE_CHARS = 65_536;

/** The messages of a thread as the text of a JSON array, in pieces, in the tree's order. */
export async function* threadText(tree: readonly MessageNode[], options: ThreadTextOptions): AsyncGenerator<string> {
  const { messages, owner, threadId, turns } = options;
  const nodes = new Map(tree.map((node) => [node.id, node]));
  let before = "[";
  for (const page of messagePages(tree)) {
    const large = page.map((id) => nodes.get(id)).find((node) => node && isLarge(node));
    if (large || before !== "[") await turns.next();
    // An answer may change while it is read, so it is read at one go.
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
      return message ? [JSON.stringify(asFarAsItIs(message, running))] : [];
    });
    if (texts.length === 0) continue;
    yield* inPieces(before + texts.join(","));
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

/** The same pieces, the first of them read already: what fails before it fails here. */
export async function begun(pieces: AsyncGenerator<string>): Promise<AsyncIterable<string>> {
  const first = await pieces.next();
  async function* all(): AsyncGenerator<string> {
    if (first.done) return;
    yield first.value;
    yield* pieces;
  }
  return all();
}

/** A message with what has been written since it was stored. */
function asFarAsItIs(message: Message, running: readonly Message[]): Message {
  if (message.status?.type !== "running") return message;
  const answer = running.find(({ id }) => id === message.id);
  return answer ? { ...message, content: answer.content } : message;
}

function* inPieces(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = start + PIECE_CHARS;
    // Never between the halves of a character: each would be sent as an unknown one.
    const whole = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
    yield text.slice(start, whole);
    start = whole;
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd8_00 && code <= 0xdb_ff;
}
