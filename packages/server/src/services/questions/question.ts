/** Checks a question against its project, and places it in its thread. */
import type { Message } from "@nitka/protocol";
import { unprocessable } from "../../chat-error.ts";
import { cleanText } from "../../clean-text.ts";
import type { MessageNode } from "../../storage/storage.ts";
import type { ReadyProject } from "../projects/ready-projects.ts";
import { checkFiles, keepFiles } from "../files/question-files.ts";
import type { AskedContent, AskedPart } from "../files/question-files.ts";
import type { ThreadFiles } from "../files/thread-files.ts";

/** A posted question: it has passed its schema, but not yet the project's limits. */
export interface AskedQuestion extends AskedContent {
  readonly id: string;
  readonly parentId?: string | null | undefined;
}

/** The most parts of a question. The widget sends one part; other clients split a text into a few. */
const MAX_PARTS = 50;

/**
 * Checks the content of a question against the project's limits, without reading from the storage.
 *
 * @throws ChatError `unprocessable`, naming what is wrong
 */
export function checkQuestion(asked: AskedQuestion, project: ReadyProject): void {
  const { content } = asked;
  const parts = typeof content === "string" ? [{ type: "text", text: content } as const] : content;
  if (parts.length > MAX_PARTS)
    throw unprocessable(`The message has ${parts.length} parts: at most ${MAX_PARTS} are accepted.`);
  const texts = parts.map((part) => (part.type === "text" ? cleanText(part.text) : ""));
  const chars = texts.reduce((sum, text) => sum + text.length, 0);
  const { messageChars } = project.limits;
  if (messageChars !== null && chars > messageChars) {
    throw unprocessable(`The message has ${chars} characters: at most ${messageChars} are accepted.`);
  }
  if (checkFiles(asked, project) === 0 && !texts.some((text) => text.trim() !== "")) {
    throw unprocessable("The message is empty: write something, or attach a file.");
  }
}

/**
 * A checked question as it is stored: with its parent, and with its files as uploads.
 *
 * @param tree the thread's messages, the end of the shown branch last
 * @throws ChatError `unprocessable` for a parent that is not in the thread, and the errors of `keepFiles`
 */
export async function placeQuestion(
  asked: AskedQuestion,
  tree: readonly MessageNode[],
  files: ThreadFiles,
  at: string,
): Promise<Message> {
  const parentId = parentOf(asked, tree);
  const content = typeof asked.content === "string" ? cleanText(asked.content) : asked.content.map(cleanPart);
  const kept = await keepFiles({ ...asked, content }, files);
  return { id: asked.id, role: "user", ...kept, parentId, createdAt: at };
}

function parentOf({ parentId }: AskedQuestion, messages: readonly MessageNode[]): string | null {
  if (parentId === undefined) return messages.at(-1)?.id ?? null;
  if (parentId === null || messages.some((message) => message.id === parentId)) return parentId;
  throw unprocessable("The message's parentId is not the id of a message in this thread.");
}

function cleanPart(part: AskedPart): AskedPart {
  if (part.type === "text") return { type: "text", text: cleanText(part.text) };
  return part.type === "file" && part.filename !== undefined ? { ...part, filename: cleanText(part.filename) } : part;
}
