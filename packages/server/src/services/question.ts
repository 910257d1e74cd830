/** What a visitor may say: the question of a run, checked against its project and its thread. */
import type { Attachment, Message, Part } from "@nitka/protocol";
import { ChatError } from "../chat-error.ts";
import type { MessageNode } from "../storage/storage.ts";
import { accepts, essence } from "./attachment-rules.ts";
import { parseDataUrl, piecesOfBase64, sizeOfBase64 } from "./data-url.ts";
import type { IncomingFile } from "./keep-file.ts";
import type { ReadyProject } from "./projects.ts";
import type { ThreadFiles } from "./thread-files.ts";

/** A question as it came, its form checked but not what it says. */
export interface AskedQuestion {
  readonly id: string;
  readonly content: string | readonly AskedPart[];
  readonly attachments?: readonly AskedAttachment[] | undefined;
  readonly parentId?: string | null | undefined;
}

/** A part that a visitor may send. */
type QuestionPart = Extract<Part, { type: "text" | "image" | "file" | "audio" }>;

export type AskedPart = Extract<Part, { type: "text" | "image" | "audio" }> | AskedFile;

type AskedFile = { readonly type: "file"; readonly mimeType: string; readonly filename?: string | undefined } & (
  | { readonly data: string }
  | { readonly url: string }
);

/** An upload is known by its id alone; what travels as a data URL becomes one. */
export interface AskedAttachment extends Pick<Attachment, "id" | "url"> {
  readonly name?: string | undefined;
  readonly contentType?: string | undefined;
}

/** Parts of a question. A person writes one; programs that split texts write a few. */
const MAX_PARTS = 50;

/** Bytes of a thread's messages beyond which no more files are taken inside them; uploads are not among them. */
const MAX_INLINE_BYTES = 40_000_000;

/**
 * What a question says, before anything is asked of the storage.
 *
 * @throws ChatError `unprocessable`, naming what is wrong
 */
export function checkQuestion({ content, attachments = [] }: AskedQuestion, project: ReadyProject): void {
  const parts = typeof content === "string" ? [{ type: "text", text: content } as const] : content;
  if (parts.length > MAX_PARTS) throw refuse(`The message has ${parts.length} parts: at most ${MAX_PARTS} are taken.`);
  const texts = parts.map((part) => (part.type === "text" ? cleanText(part.text) : ""));
  const chars = texts.reduce((sum, text) => sum + text.length, 0);
  const { messageChars } = project.limits;
  if (messageChars !== null && chars > messageChars) {
    throw refuse(`The message has ${chars} characters: at most ${messageChars} are taken.`);
  }
  const files = parts.filter((part) => part.type !== "text");
  for (const part of files) checkFile(fileOf(part), project.attachments);
  if (files.length + attachments.length > 0) checkCount(files.length + attachments.length, project);
  else if (!texts.some((text) => text.trim() !== "")) {
    throw refuse("The message is empty: write something, or attach a file.");
  }
}

/**
 * A question that was checked, as it is stored: in its place in the thread, with what is known of its attachments.
 *
 * @param tree the thread's messages, the end of the shown branch last
 * @throws ChatError `unprocessable`, naming what is wrong
 */
export async function placeQuestion(
  asked: AskedQuestion,
  tree: readonly MessageNode[],
  project: ReadyProject,
  files: ThreadFiles,
  place: { readonly threadId: string; readonly at: string },
): Promise<Message> {
  const parentId = parentOf(asked, tree);
  requireRoom(asked, tree);
  const checked: (Attachment | IncomingFile)[] = [];
  for (const attachment of asked.attachments ?? []) {
    checked.push(await checkAttachment(attachment, project, files, place.threadId));
  }
  // Only now, so that nothing is kept of a question of which one file cannot be taken.
  const attachments: Attachment[] = [];
  for (const one of checked) attachments.push("pieces" in one ? await files.keep(one) : one);
  return {
    id: asked.id,
    role: "user",
    content: cleanContent(asked.content),
    ...(attachments.length > 0 ? { attachments } : {}),
    parentId,
    createdAt: place.at,
  };
}

/** Files that travel inside messages: by the sizes of the messages, so that none of them is read. */
function requireRoom({ content }: AskedQuestion, tree: readonly MessageNode[]): void {
  const files = typeof content === "string" ? [] : content.filter((part) => part.type !== "text");
  const added = files.reduce((sum, part) => sum + (fileOf(part).size ?? 0), 0);
  if (added === 0) return;
  const kept = tree.reduce((sum, { bytes }) => sum + bytes, 0);
  if (kept + added <= MAX_INLINE_BYTES) return;
  throw refuse(
    `This thread's messages hold ${kept} bytes, and the files inside this one have ${added} more: at most ${MAX_INLINE_BYTES} are taken. Upload files first, or begin a new thread.`,
  );
}

function parentOf({ id, parentId }: AskedQuestion, messages: readonly MessageNode[]): string | null {
  if (messages.some((message) => message.id === id)) throw refuse(`The id ${id} belongs to another message.`);
  if (parentId === undefined) return messages.at(-1)?.id ?? null;
  if (parentId === null || messages.some((message) => message.id === parentId)) return parentId;
  throw refuse("The message's parentId names no message of this thread.");
}

/** Without what no database and no upstream takes: NUL, and halves of characters. */
function cleanContent(content: AskedQuestion["content"]): string | readonly QuestionPart[] {
  return typeof content === "string" ? cleanText(content) : content.map(cleanPart);
}

function cleanPart(part: AskedPart): QuestionPart {
  if (part.type === "text") return { type: "text", text: cleanText(part.text) };
  if (part.type !== "file") return part;
  const { filename, ...file } = part;
  return filename === undefined ? file : { ...file, filename: cleanText(filename) };
}

function cleanText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

interface InlineFile {
  readonly name: string;
  readonly contentType: string;
  /** Bytes; `undefined` when they cannot be read. */
  readonly size: number | undefined;
}

/** A part's file. One that is named by any address but a data URL is never fetched: it has no bytes. */
function fileOf(part: Exclude<QuestionPart, { type: "text" }>): InlineFile {
  switch (part.type) {
    case "image":
      return { name: "image", ...inline(part.image, "image/") };
    case "audio":
      return { name: "audio", contentType: `audio/${part.audio.format}`, size: sizeOfBase64(part.audio.data) };
    case "file": {
      const name = part.filename ?? "file";
      if ("data" in part) return { name, contentType: essence(part.mimeType), size: sizeOfBase64(part.data) };
      return { name, ...inline(part.url), contentType: essence(part.mimeType) };
    }
    default:
      return part satisfies never;
  }
}

function inline(url: string, prefix = ""): Omit<InlineFile, "name"> {
  const file = parseDataUrl(url);
  if (!file?.contentType.startsWith(prefix)) return { contentType: "", size: undefined };
  return { contentType: file.contentType, size: file.size };
}

async function checkAttachment(
  { id, url, name = "file", contentType }: AskedAttachment,
  { attachments: rules }: ReadyProject,
  files: ThreadFiles,
  threadId: string,
): Promise<Attachment | IncomingFile> {
  if (!url.startsWith("data:")) {
    const upload = await files.find(id);
    if (upload?.threadId !== threadId) throw refuse(`The attachment ${id} is no upload of this thread.`);
    return upload.attachment;
  }
  const data = parseDataUrl(url);
  const file = { name, contentType: data?.contentType ?? "", size: data?.size };
  checkFile(file, rules);
  const type = contentType === undefined ? file.contentType : essence(contentType);
  if (type !== file.contentType) throw refuse(`The attachment ${name} says ${type}, but its data ${file.contentType}.`);
  return { name, contentType: type, pieces: piecesOfBase64(data?.data ?? ""), atMost: file.size };
}

function checkFile({ name, contentType, size }: InlineFile, rules: ReadyProject["attachments"]): void {
  if (!rules) throw refuse("This project takes no attachments.");
  if (size === undefined) {
    throw refuse(`The file ${name} must come as a data URL in base64, or be uploaded first: no address is fetched.`);
  }
  if (size === 0) throw refuse(`The file ${name} is empty.`);
  if (size > rules.maxBytes) throw refuse(`The file ${name} has ${size} bytes: at most ${rules.maxBytes} are taken.`);
  if (!accepts(rules.accept, { name, contentType })) {
    throw refuse(`The file ${name} is of the type ${contentType}: this project takes ${rules.accept}.`);
  }
}

function checkCount(files: number, { attachments: rules }: ReadyProject): void {
  if (!rules) throw refuse("This project takes no attachments.");
  if (files > rules.maxCount)
    throw refuse(`The message has ${files} attachments: at most ${rules.maxCount} are taken.`);
}

function refuse(sentence: string): ChatError {
  return new ChatError("unprocessable", sentence);
}
